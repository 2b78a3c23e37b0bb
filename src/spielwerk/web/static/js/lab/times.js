// Days that the server has written, as the reader's clock and language have them.

import { localDay } from "./common.js";

for (const time of document.querySelectorAll("time")) time.textContent = localDay(time.dateTime);
