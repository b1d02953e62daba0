import { CommandError } from '../lib/command-error.mjs'

/**
 * Returns the changelog's lines about one version, without its heading.
 * @throws CommandError when it has no section of the version, or an empty one
 */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`[${version}]`))
  if (section === undefined) throw new CommandError(`CHANGELOG.md has no section [${version}]`)
  const notes = section.slice(section.indexOf('\n')).trim()
  if (notes === '') throw new CommandError(`CHANGELOG.md says nothing about ${version}`)
  return `${notes}\n`
}
