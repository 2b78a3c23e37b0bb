"""Monte-Carlo tree search: one search, with parts that can be exchanged.

`tree` is the memory, `selection`, `amaf` and `policies` are the parts, `kernel` is the search, and
`search` decides: budgets, threads, what is kept between moves; `batches` lets others value leaves.
"""
