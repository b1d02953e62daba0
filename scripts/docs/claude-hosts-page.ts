import { betaTable } from '../../packages/providers/src/families/claude/beta-table.ts'
import {
  type BetaRow,
  betaSources,
  type Support,
  type SupportSince,
} from '../../packages/providers/src/families/claude/betas.ts'
import {
  type ClaudeModel,
  claudeModelSources,
  claudeModelTable,
} from '../../packages/providers/src/families/claude/models.ts'

const introduction = `# Claude at its hosts

<!-- Written by \`npm run docs:providers\`: edit the tables in packages/providers/src/families/claude. -->

Anthropic's API takes every beta, and everything that a beta brought, as callers send it. [Amazon Bedrock](aws.md),
[Vertex AI](vertex.md) and [Microsoft Foundry](azure-ai-foundry.md) take a part. A beta that a host does not take is
removed from the header, and what it brought from the body: from instructions, tools, messages and results of tools,
in calls of every dialect. The \`X-Tollgate-Warning\` header names it. What would change the response is refused by name,
before anything is sent.`

const supports: Readonly<Record<Support, string>> = {
  beta: 'with its beta',
  optional: 'yes',
  free: 'yes, its beta is removed',
  header: 'the beta alone',
  none: 'no',
}

/** The page of docs/providers about the hosts of Claude: what each takes, and what it calls each model. */
export function claudeHostsPage(): string {
  const parts = [introduction, '## Betas', betaRows(), '## Models', modelRows(), '## Sources', sources()]
  return `${parts.join('\n\n')}\n`
}

function betaRows(): string {
  const rows = betaTable.map((row) => {
    const { name, dates, drops = [], refuses = [], bedrock, vertex, foundry, source } = row
    const members = [...drops.map(code), ...refuses.map((member) => `${code(member)} (refused)`)]
    const cells = [
      name,
      dates.join(', '),
      members.join(', '),
      ...[bedrock, vertex, foundry].map((cell) => stated(row, cell)),
    ]
    return line([...cells, source])
  })
  const head = ['Beta or feature', 'Dates', 'Brought', 'Bedrock', 'Vertex AI', 'Foundry', 'Source']
  return [line(head), line(head.map(() => '---')), ...rows].join('\n')
}

function stated(row: BetaRow, support: Support | SupportSince): string {
  if (typeof support !== 'string') {
    const { from, to, is, otherwise } = support
    const models = to === undefined ? `from ${version(from)} on` : `${version(from)} to ${version(to)}`
    return `${models}: ${stated(row, is)}; else: ${stated(row, otherwise)}`
  }
  const bringsNothing = row.drops === undefined && row.refuses === undefined
  return bringsNothing && support === 'header' ? 'yes' : supports[support]
}

/** 406 is 4.6. */
function version(generation: number): string {
  return `${Math.floor(generation / 100)}.${generation % 100}`
}

function modelRows(): string {
  const head = ['Anthropic', 'Bedrock', 'Profiles', 'Vertex AI', 'Foundry']
  return [line(head), line(head.map(() => '---')), ...claudeModelTable.map(modelRow)].join('\n')
}

function modelRow({ name, aliases = [], bedrock, profiles = [], vertex, foundry }: ClaudeModel): string {
  const ids = [bedrock, profiles.join(', '), vertex, foundry].map((id, index) =>
    index === 1 || id === undefined ? (id ?? '') : code(id),
  )
  return line([[name, ...aliases].map(code).join(', '), ...ids])
}

function sources(): string {
  const all = Object.entries({ ...betaSources, ...prefixed(claudeModelSources) })
  return all.map(([name, [source, read]]) => `* ${name}: ${source} (${read})`).join('\n')
}

function prefixed<Value>(columns: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [`models, ${name}`, value]))
}

function code(text: string): string {
  return `\`${text}\``
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
