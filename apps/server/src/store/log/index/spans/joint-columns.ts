/** Combination of values that each row of a span has in some dimensions, as a number. */
export interface JointColumn {
  readonly ofRow: Uint32Array
  /** Value of each combination in the first of its dimensions. */
  readonly values: Float64Array
  /** The other dimensions, and the combination of each in them. */
  readonly rest: { readonly column: JointColumn; readonly of: Uint32Array } | undefined
}

/** Returns the column of one dimension alone, or before others. */
export function joined(values: Float64Array, rest: JointColumn | undefined): JointColumn {
  const alone = numberPairs(...halvesOf(values))
  const { ofRow, firstRows } = rest === undefined ? alone : numberPairs(alone.ofRow, rest.ofRow)
  const firstValues = new Float64Array(firstRows.length)
  const others = new Uint32Array(firstRows.length)
  for (let number = 0; number < firstRows.length; number += 1) {
    const row = firstRows[number] ?? 0
    firstValues[number] = values[row] ?? 0
    others[number] = rest?.ofRow[row] ?? 0
  }
  return { ofRow, values: firstValues, rest: rest && { column: rest, of: others } }
}

const half = 2 ** 32

function halvesOf(values: Float64Array): [high: Uint32Array, low: Uint32Array] {
  const [high, low] = [new Uint32Array(values.length), new Uint32Array(values.length)]
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] ?? 0
    high[row] = Math.floor(value / half)
    low[row] = value % half
  }
  return [high, low]
}

interface Numbered {
  /** Number of each row's pair. */
  readonly ofRow: Uint32Array
  /** By number, the first row that has the pair. */
  readonly firstRows: Uint32Array
}

/** Numbers the pairs of two columns, in a hash table of numbers: a map of objects would take ten times as long. */
function numberPairs(one: Uint32Array, other: Uint32Array): Numbered {
  const capacity = 2 ** Math.ceil(Math.log2(one.length * 2 + 1))
  const slots = new Uint32Array(capacity)
  const ofRow = new Uint32Array(one.length)
  const firstRows = new Uint32Array(one.length)
  let count = 0
  for (let row = 0; row < one.length; row += 1) {
    const [a, b] = [one[row] ?? 0, other[row] ?? 0]
    let slot = hashOf(a, b) & (capacity - 1)
    for (;;) {
      const number = slots[slot] ?? 0
      if (number === 0) {
        firstRows[count] = row
        count += 1
        slots[slot] = count
        ofRow[row] = count - 1
        break
      }
      const known = firstRows[number - 1] ?? 0
      if (one[known] === a && other[known] === b) {
        ofRow[row] = number - 1
        break
      }
      slot = (slot + 1) & (capacity - 1)
    }
  }
  return { ofRow, firstRows: firstRows.subarray(0, count) }
}

function hashOf(a: number, b: number): number {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 8
}
