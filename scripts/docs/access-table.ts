import {
  type AdminPart,
  adminPartNames,
  adminParts,
  type Call,
  calls,
  partsOf,
} from '../../packages/api/src/index.ts'
import { partToWrite, settingCatalogue, settingKeys } from '../../packages/api/src/settings/index.ts'

const begin =
  '<!-- Ranks and parts: written by `npm run docs:providers` from packages/api/src/calls and the settings catalogue. -->'
const end = '<!-- End of ranks and parts. -->'

const meanings: Readonly<Record<AdminPart, string>> = {
  channels: 'channels, their keys, tests and balances, and which way calls go',
  prices: 'what models and groups cost and are charged; changing it needs `money-options`',
  users: 'accounts of lower rank: names, passwords, groups, limits, bans, export',
  money: 'balances, redemption codes, orders, spend and margin',
  log: 'calls, tasks and statistics of all users; replays',
  settings: 'all other options of administrators',
  'money-options': 'writes the options that [move money](decisions/2026-11-28-money-is-roots.md)',
  'log-clearing': 'deletes rows of the usage log, at once or by age',
}

const table: readonly Call[] = Object.values(calls).flatMap((group) => Object.values<Call>(group))

/** The guide with the table of ranks and parts as the authorisation table has it. Throws where its marks are missing. */
export function withAccessTable(guide: string): string {
  const [from, to] = [guide.indexOf(begin), guide.indexOf(end)]
  if (from < 0 || to < from) throw new Error('The guide has no marks for the table of ranks and parts')
  return `${guide.slice(0, from)}${begin}\n\n${accessTable()}\n\n${guide.slice(to)}`
}

function accessTable(): string {
  return [
    '| part | a new administrator has it | what for | calls | options |',
    '|---|---|---|---|---|',
    ...adminPartNames.map(partRow),
    `| every part, or none | yes | | ${named(({ part }) => part === 'any')} | |`,
    `| root alone | | | ${named(({ access }) => access === 'root')} | ${roots()} |`,
  ].join('\n')
}

function partRow(part: AdminPart): string {
  const own = ({ part: needed, partForEffect }: Call) =>
    (needed !== undefined && partsOf(needed).includes(part)) || partForEffect?.part === part
  const has = adminParts[part].byDefault ? 'yes' : 'when root gives it'
  return `| \`${part}\` | ${has} | ${meanings[part]} | ${named(own)} | ${optionsOf(part)} |`
}

function named(holds: (call: Call) => boolean): string {
  const found = table.filter(holds).map(({ method, path, partForEffect }) => {
    const effect = partForEffect === undefined ? '' : ` (${partForEffect.effect.replaceAll('-', ' ')})`
    return `\`${method} ${path}\`${effect}`
  })
  return found.join(', ')
}

function optionsOf(part: AdminPart): string {
  return settingKeys
    .filter((key) => {
      const { write, movesMoney } = settingCatalogue[key]
      if (part === 'money-options') return movesMoney
      return write === 'admin' && partToWrite(key) === part
    })
    .map((key) => `\`${key}\``)
    .join(', ')
}

function roots(): string {
  const others = settingKeys.filter((key) => {
    const { write, movesMoney, group } = settingCatalogue[key]
    return write === 'root' && !movesMoney && group !== 'legacy'
  })
  return others.map((key) => `\`${key}\``).join(', ')
}
