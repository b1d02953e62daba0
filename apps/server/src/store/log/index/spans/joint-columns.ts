import { getOrInsert } from '@tollgate/base'

/** Combination of values that each row of a span has in some dimensions, as a number. */
export interface JointColumn {
  readonly ofRow: Uint32Array
  /** Values of each combination that occurs. */
  readonly combinations: readonly (readonly number[])[]
}

/** Returns the column of one dimension alone. */
export function columnOf(values: Float64Array): JointColumn {
  const numbers = new Map<number, number>()
  const combinations: number[][] = []
  const ofRow = new Uint32Array(values.length)
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] ?? 0
    ofRow[row] = getOrInsert(numbers, value, () => combinations.push([value]) - 1)
  }
  return { ofRow, combinations }
}

/** Returns the column with the dimensions of both. */
export function joined(one: JointColumn, other: JointColumn): JointColumn {
  const numbers = new Map<number, number>()
  const combinations: (readonly number[])[] = []
  const ofRow = new Uint32Array(one.ofRow.length)
  const width = other.combinations.length
  for (let row = 0; row < ofRow.length; row += 1) {
    const [a, b] = [one.ofRow[row] ?? 0, other.ofRow[row] ?? 0]
    ofRow[row] = getOrInsert(
      numbers,
      a * width + b,
      () => combinations.push([...(one.combinations[a] ?? []), ...(other.combinations[b] ?? [])]) - 1,
    )
  }
  return { ofRow, combinations }
}
