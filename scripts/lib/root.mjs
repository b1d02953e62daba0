import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the checkout, wherever the command was called from. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** @param {string[]} parts */
export function at(...parts) {
  return join(root, ...parts)
}
