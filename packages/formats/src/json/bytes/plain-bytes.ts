/** Below this a byte is a control character, which JSON takes in no text. */
const space = 0x20

/** Four bytes of a space, and the highest bit of each. */
const spaces = 0x20202020
const highBits = 0x80808080
const stride = 16

/**
 * Offset of the first control character from `from` on; the length where there is none. Sixteen bytes at a time: a byte below a
 * space borrows from its highest bit, which no other byte without that bit does.
 */
export function controlOffset(view: DataView, from: number): number {
  const last = view.byteLength - stride
  let at = from
  while (at <= last && !hasControl(view, at)) at += stride
  while (at < view.byteLength && view.getUint8(at) >= space) at += 1
  return at
}

/** Never false for sixteen bytes with a control character. */
function hasControl(view: DataView, at: number): boolean {
  const first = view.getInt32(at, true)
  const second = view.getInt32(at + 4, true)
  const third = view.getInt32(at + 8, true)
  const fourth = view.getInt32(at + 12, true)
  const borrowed =
    ((first - spaces) & ~first) |
    ((second - spaces) & ~second) |
    ((third - spaces) & ~third) |
    ((fourth - spaces) & ~fourth)
  return (borrowed & highBits) !== 0
}
