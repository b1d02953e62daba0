import { writeFileSync } from 'node:fs'
import { providerPages } from './provider-pages.ts'

/** Writes the pages of docs/providers. */
const root = new URL('../../', import.meta.url)
for (const [path, text] of providerPages()) writeFileSync(new URL(path, root), text)
