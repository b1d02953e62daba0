const units = 0x10000
/** Full-width forms of ASCII, as Chinese input methods write them. */
const fullWidthStart = 0xff01
const fullWidthEnd = 0xff5e
const fullWidthOffset = 0xfee0

let table: Uint16Array | undefined

/**
 * Returns a table that maps each UTF-16 code unit to the one that it is compared as: lower case, and plain for full-width. It maps unit
 * for unit, so that an offset in a folded text is the same offset in the text. The first call makes the table. Unit for unit, so that
 * places in a folded text are places in the text. Made when it is first asked for.
 */
export function foldTable(): Uint16Array {
  table ??= makeTable()
  return table
}

function makeTable(): Uint16Array {
  const made = new Uint16Array(units)
  for (let unit = 0; unit < units; unit += 1) made[unit] = foldedUnit(unit)
  return made
}

function foldedUnit(unit: number): number {
  const isFullWidth = unit >= fullWidthStart && unit <= fullWidthEnd
  const plain = isFullWidth ? unit - fullWidthOffset : unit
  const lower = String.fromCharCode(plain).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : plain
}
