"""Looking ahead: playouts, enumeration, alpha-beta."""
