import type { FolderCircle } from './folders.ts'

/** Circles of folders that stand all the same, and may only shrink. None is left: write one down only with its reason. */
export const recordedCircles: readonly FolderCircle[] = []
