import { existsSync, readFileSync } from 'node:fs'
import { providers } from '../../packages/providers/src/index.ts'
import { profileOf } from '../../packages/providers/src/profile/profile-of.ts'
import { providerTable } from '../../packages/providers/src/table.ts'
import { claudeHostsPage } from './claude-hosts-page.ts'
import { providerPage } from './provider-page.ts'

const root = new URL('../../', import.meta.url)

/** The pages of docs/providers as the table, the providers and their READMEs have them: text by path. */
export function providerPages(): ReadonlyMap<string, string> {
  const pages = providers.map((provider): [string, string] => {
    const rows = providerTable.filter(({ id }) => id === provider.id)
    const readme = new URL(`packages/providers/src/vendors/${provider.id}/README.md`, root)
    const notes = existsSync(readme) ? readFileSync(readme, 'utf8') : ''
    return [`docs/providers/${provider.id}.md`, providerPage(rows, provider, notes, profileOf(provider.id))]
  })
  return new Map([...pages, ['docs/providers/claude-hosts.md', claudeHostsPage()]])
}
