import { type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'
import type { FittedCall, HeaderMap } from '../../provider.ts'
import { betaTable } from './beta-table.ts'
import type { BetaRow, ClaudeHost, Support, SupportSince } from './betas.ts'
import { findClaudeModel } from './model-names.ts'

interface HostFacts {
  readonly name: string
  /** It refuses a call with a beta, or a field, that it does not know. */
  readonly isClosed: boolean
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html */
export const hostFacts: Readonly<Record<ClaudeHost, HostFacts>> = {
  bedrock: { name: 'Amazon Bedrock', isClosed: true },
  vertex: { name: 'Vertex AI', isClosed: true },
  // Anthropic runs it: what it does not document yet, it may take.
  foundry: { name: 'Microsoft Foundry', isClosed: false },
}

/** Returns the support of a host for a row, for a model of a generation. */
export function supportOf(row: BetaRow, host: ClaudeHost, generation: number | undefined): Support {
  const support: Support | SupportSince = row[host]
  if (typeof support === 'string') return support
  const { from, to = Number.POSITIVE_INFINITY, is, otherwise } = support
  return generation === undefined || (generation >= from && generation <= to) ? is : otherwise
}

/** A row's name among others: two rows may have betas of one name. */
export function keyOf({ name, dates: [first = ''] }: BetaRow): string {
  return `${name}-${first}`
}

const betaDate = /-(\d{4}-\d\d-\d\d|\d{8})$/

/** The row of a beta as a call names it. A known beta of a new date counts as the first of its name. */
function rowOfBeta(beta: string): BetaRow | undefined {
  const [ending = '', date = ''] = betaDate.exec(beta) ?? []
  const name = beta.slice(0, beta.length - ending.length)
  const rows = betaTable.filter((row) => row.name === name && row.dates.length > 0)
  return rows.find(({ dates }) => dates.includes(date)) ?? rows[0]
}

const takenNames: ReadonlySet<Support> = new Set(['beta', 'optional', 'header'])

function takesBeta(host: ClaudeHost, beta: string, generation: number | undefined): boolean {
  const row = rowOfBeta(beta)
  return row === undefined ? !hostFacts[host].isClosed : takenNames.has(supportOf(row, host, generation))
}

/** The names in a list of betas, each once. */
export function splitBetas(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

/** Those of the caller's betas that a host takes. */
export function hostBetas(host: ClaudeHost, list: string, model: string): readonly string[] {
  const generation = findClaudeModel(model)?.generation
  return splitBetas(list).filter((beta) => takesBeta(host, beta, generation))
}

/** The header field of a host; empty, which removes the caller's, where it takes none of the caller's betas. */
export function betaHeader(host: ClaudeHost, caller: HeaderMap, model: string): HeaderMap {
  const betas = caller['anthropic-beta']
  return betas === undefined ? {} : { 'anthropic-beta': hostBetas(host, betas, model).join(',') }
}

/** Tools that a host serves under a beta of its own, where Anthropic's API needs none. */
const toolBetas: Readonly<Record<string, string>> = {
  tool_search_tool_regex: 'tool-search-tool-2025-10-19',
  tool_search_tool_bm25: 'tool-search-tool-2025-10-19',
}

/** The betas that a request needs there for the tools that it offers. */
export function betasOfTools({ tools }: JsonObject): readonly string[] {
  const needed = listOf(tools).map((tool) => toolBetas[textOf(objectOf(tool).type).replace(/_\d{8}$/, '')])
  return [...new Set(needed.filter((beta) => beta !== undefined))]
}

/** Keys of the rows whose betas go out with a call: of its header, of its body, and for its tools. */
export function sentBetas(
  host: ClaudeHost,
  body: JsonObject,
  { model, headers }: FittedCall,
): ReadonlySet<string> {
  const written = [...listOf(body.anthropic_beta).map(textOf), headers['anthropic-beta'] ?? '']
  const sent = [...hostBetas(host, written.join(), model), ...betasOfTools(body)]
  return new Set(sent.map(rowOfBeta).flatMap((row) => (row === undefined ? [] : [keyOf(row)])))
}
