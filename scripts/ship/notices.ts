import type { BundledPackage } from './bundled-packages.ts'

const line = '-'.repeat(80)

/** The licences of all packages that are shipped, one after the other; packages with the same text share it. */
export function noticesOf(packages: readonly BundledPackage[]): string {
  const groups = new Map<string, string[]>()
  for (const { name, version, license, texts } of packages) {
    const text = [license, ...texts].join('\n\n')
    groups.set(text, [...(groups.get(text) ?? []), `${name} ${version}`])
  }
  const parts = [...groups].map(([text, names]) => `${line}\n${names.join('\n')}\n\n${text}\n`)
  return `Tollgate contains the following packages of others, under the licences that follow each.\n\n${parts.join('\n')}`
}
