import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const packageName = 'lucide-react'
const iconImport = /import \{([^}]*)\} from 'lucide-react'/g

/**
 * Imports each icon from its own file. Through the package's index every page would seem to need every icon that any
 * page shows, and they all would land in the file that each page loads.
 */
export function singleIcons(): Plugin {
  let files: Promise<ReadonlyMap<string, string>> | undefined
  return {
    name: 'single-icons',
    enforce: 'pre',
    async transform(code, id) {
      if (!/\/apps\/web\/.*\.tsx?$/.test(id) || !code.includes(packageName)) return undefined
      files ??= readIconFiles()
      const known = await files
      return {
        code: code.replaceAll(iconImport, (_, names: string) => singleImports(names, known)),
        map: null,
      }
    },
  }
}

/** `Check, type LucideIcon` → one import for each icon, on one line so that line numbers stay. */
export function singleImports(names: string, files: ReadonlyMap<string, string>): string {
  const imports = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
  return imports
    .map((name) => {
      const [exported = '', local = exported] = name.split(/ as /)
      const file = files.get(exported)
      if (file === undefined) throw new Error(`${packageName} has no icon ${exported}`)
      return `import ${local} from '${packageName}/icons/${file}'`
    })
    .join('; ')
}

/** File names of the package's icons by the names it exports them under. */
async function readIconFiles(): Promise<ReadonlyMap<string, string>> {
  const index = createRequire(import.meta.url).resolve(`${packageName}/package.json`)
  const code = await readFile(index.replace(/package\.json$/, 'dist/esm/lucide-react.mjs'), 'utf8')
  const files = new Map<string, string>()
  for (const [, names = '', file = ''] of code.matchAll(
    /export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g,
  ))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, file)
  return files
}
