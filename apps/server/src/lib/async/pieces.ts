/** Pieces of a file that is made while it is read, each when its reader asks for it. */
export type Pieces = AsyncIterable<string | Uint8Array>
