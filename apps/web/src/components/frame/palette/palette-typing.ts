/** Text of the palette with its text cursor, typed before its code was there or after. */
export interface PaletteTyping {
  readonly text: string
  readonly selection: readonly [start: number, end: number]
  /** Keys that act on the list of results, in their order; the list answers them once it is there. */
  readonly listKeys: readonly string[]
}

/** State of a palette that opens. */
export const nothingTyped: PaletteTyping = { text: '', selection: [0, 0], listKeys: [] }
