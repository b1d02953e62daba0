import { createContext } from 'react'

/** Opens the command palette, which the frame has. */
export const OpenPalette = createContext<() => void>(() => undefined)
