import { isObject } from '../../packages/formats/src/index.ts'
import type { AccountColumn, AccountRefusals } from '../../packages/providers/src/accounts/account-refusal.ts'
import { accountOf } from '../../packages/providers/src/accounts/account-table.ts'

const titles: Readonly<Record<keyof AccountRefusals, string>> = {
  outOfCredit: 'Out of credit',
  suspended: 'Closed or locked',
  keyRefused: 'Key refused',
}

/** Writes the section of a provider's page about its refusals of accounts, of which callers read nothing. */
export function accountSection(id: string): string {
  const refusals = accountOf(id)
  const rows = Object.entries(titles).map(
    ([column, title]) => row(title, refusals[column as keyof AccountRefusals]), // Its keys are the columns.
  )
  const head = ['| State | What it sends | Source |', '|---|---|---|']
  return ['## What it says of an account', [...head, ...rows].join('\n')].join('\n\n')
}

function row(title: string, column: AccountColumn): string {
  if (column === 'none') return `| ${title} | has no accounts | |`
  if (column === 'unknown') return `| ${title} | unknown | |`
  const { status, body } = column.value
  return `| ${title} | ${status}: ${wordsOf(body).replaceAll('|', '\\|')} | [cited](${column.source}) |`
}

/** The texts and codes of a body, outermost first. */
function wordsOf(body: unknown): string {
  return typeof body === 'string' ? body : textsIn(body).join(' · ')
}

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (isObject(value)) return Object.values(value).flatMap(textsIn)
  return typeof value === 'string' && value.length > 1 ? [value] : []
}
