import {
  compileHostRules,
  fitToHost,
  type HostFit,
  type HostRules,
  type JsonEdits,
  type JsonObject,
  type KnownMembers,
  type MessagesPart,
  memberText,
  objectOf,
  type PlacedRule,
  type RequestText,
} from '@tollgate/formats'
import type { FittedCall } from '../../provider.ts'
import { betaTable } from './beta-table.ts'
import type { BetaRow, ClaudeHost, Support } from './betas.ts'
import { hostFacts, keyOf, sentBetas, supportOf } from './host-betas.ts'
import { findClaudeModel } from './model-names.ts'

/**
 * Members that every host takes, or that its own edits settle. The table has the others.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
 */
const commonMembers = {
  body: `model messages system max_tokens stream stop_sequences temperature top_p top_k tools tool_choice thinking metadata
    output_config output_format anthropic_version anthropic_beta`,
  tool: 'type name description input_schema cache_control',
  cache_control: 'type',
} as const

/** Members that are left out for some of their values alone, and what takes their place. */
const conditions: Readonly<Record<string, Pick<PlacedRule, 'applies' | 'instead'>>> = {
  // Instructions inside the conversation become the user's, as in a translated call.
  'message.role': { applies: (value) => value === 'system', instead: '"user"' },
  'thinking.display': { applies: (value) => value === 'updates' },
  'block.citations': { applies: (value) => value === null },
  'block.caller': { applies: (value, { type }) => type === 'tool_use' && objectOf(value).type === 'direct' },
}

interface Membership {
  readonly row: BetaRow
  readonly loss: PlacedRule['loss']
}

const rowsByMember: ReadonlyMap<string, readonly Membership[]> = groupedRows()

function groupedRows(): Map<string, Membership[]> {
  const grouped = new Map<string, Membership[]>()
  const add = (members: readonly string[], row: BetaRow, loss: PlacedRule['loss']) => {
    for (const member of members) grouped.set(member, [...(grouped.get(member) ?? []), { row, loss }])
  }
  for (const row of betaTable) {
    add(row.drops ?? [], row, 'drop')
    add(row.refuses ?? [], row, 'refuse')
  }
  return grouped
}

const knownMembers: KnownMembers = {
  body: knownOf('body'),
  tool: knownOf('tool'),
  cache_control: knownOf('cache_control'),
}

function knownOf(part: keyof typeof commonMembers): ReadonlySet<string> {
  const ofTable = [...rowsByMember.keys()].filter((member) => member.startsWith(`${part}.`))
  return new Set([
    ...commonMembers[part].split(/\s+/),
    ...ofTable.map((member) => member.slice(part.length + 1)),
  ])
}

const takenAlways: ReadonlySet<Support> = new Set(['optional', 'free'])

/** Returns the rule of a host for a member or type; `undefined` where it takes it in every call. */
function ruleOf(
  member: string,
  rows: readonly Membership[],
  host: ClaudeHost,
  generation: number | undefined,
): PlacedRule | undefined {
  const supported = rows.map(({ row }) => ({ row, support: supportOf(row, host, generation) }))
  if (supported.some(({ support }) => takenAlways.has(support))) return undefined
  const betas = supported.filter(({ support }) => support === 'beta').map(({ row }) => keyOf(row))
  const loss = rows.some((each) => each.loss === 'refuse') ? 'refuse' : 'drop'
  return { betas, loss, feature: rows[0]?.row.name ?? '', ...conditions[member], ...positionOf(member) }
}

/** `tool.strict` or `block:fallback`. */
function positionOf(
  member: string,
): { readonly part: MessagesPart } & ({ readonly member: string } | { readonly type: string }) {
  const at = member.search(/[.:]/)
  const part = member.slice(0, at) as MessagesPart // The table is held against the parts by a test.
  const name = member.slice(at + 1)
  return member[at] === '.' ? { part, member: name } : { part, type: name }
}

function rulesOf(host: ClaudeHost, generation: number | undefined): HostRules {
  const rules = [...rowsByMember].flatMap(([member, rows]) => ruleOf(member, rows, host, generation) ?? [])
  const { name, isClosed } = hostFacts[host]
  return compileHostRules(name, rules, isClosed ? knownMembers : undefined)
}

/** Rules by host and generation of the model, made when the first call needs them: a start would compile hundreds for none. */
const compiled: Readonly<Record<ClaudeHost, Map<number | undefined, HostRules>>> = {
  bedrock: new Map(),
  vertex: new Map(),
  foundry: new Map(),
}

/** Returns the rules of a host for models of a generation, or for a model that nobody knows. */
function rulesFor(host: ClaudeHost, generation: number | undefined): HostRules {
  const known = compiled[host].get(generation)
  if (known !== undefined) return known
  const rules = rulesOf(host, generation)
  compiled[host].set(generation, rules)
  return rules
}

/** See `Operation.fit`. */
export function fitToClaudeHost(host: ClaudeHost): (body: JsonObject, call: FittedCall) => HostFit {
  return (body, call) => {
    const rules = rulesFor(host, findClaudeModel(call.model)?.generation)
    // Few requests hold a member that asks for its beta.
    let sent: ReadonlySet<string> | undefined
    const isSent = (key: string) => {
      sent ??= sentBetas(host, body, call)
      return sent.has(key)
    }
    return fitToHost(body, rules, isSent)
  }
}

/**
 * Moves a schema of the response from `output_format`, its place during the beta, to the one that hosts know.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
export function movedOutputFormat({ text, scan, body }: RequestText): JsonEdits {
  const format = scan.members.get('output_format')
  if (format === undefined) return new Map()
  const config = scan.members.get('output_config')
  const others = objectOf(body.output_config)
  if (body.output_format === null || others.format != null) return new Map([['output_format', undefined]])
  const member = `"format":${memberText(text, format)}`
  const isAlone = config === undefined || Object.keys(others).length === 0
  const moved = isAlone ? `{${member}}` : `${memberText(text, config).slice(0, -1)},${member}}`
  return new Map([
    ['output_format', undefined],
    ['output_config', moved],
  ])
}
