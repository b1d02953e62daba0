import { isObject, type JsonObject, listOf, textOf } from '@tollgate/formats'
import { mergedNeighbours, omitMembers } from '../edits/message-edits.ts'
import { mediaOfUser } from '../edits/message-media.ts'
import { withoutSilentTurns } from '../edits/silent-turns.ts'
import type { Draft, Step } from './draft.ts'
import type { HistoryRules, MessageRules } from './target-profile.ts'

/** An edit of one message of Chat Completions, which may depend on the draft. */
type MessageRule = (message: JsonObject, draft: Draft) => JsonObject

/** The step that fits the messages of Chat Completions to their rules; none where there are none. */
export function messageStep(
  rules: MessageRules | undefined,
  history: HistoryRules | undefined,
): Step | undefined {
  const edits = [...historyRules(history), ...memberRules(rules)]
  const orders = [
    ...(rules?.media === 'user' ? [mediaOfUser] : []),
    ...(rules?.silent === 'refused' ? [withoutSilentTurns] : []),
    ...(rules?.turns === 'alternate' ? [mergedNeighbours] : []),
  ]
  if (edits.length + orders.length === 0) return undefined
  return (draft) => {
    const fitted = (messages: readonly unknown[]) =>
      orders.reduce((ordered, order) => order(ordered), editedMessages(messages, draft, edits))
    const outline = listOf(draft.outline('messages'))
    if (fitted(outline) !== outline) draft.set('messages', fitted(listOf(draft.get('messages'))))
  }
}

/** The same list where no message changes. */
function editedMessages(
  messages: readonly unknown[],
  draft: Draft,
  edits: readonly MessageRule[],
): readonly unknown[] {
  let edited: unknown[] | undefined
  for (const [position, message] of messages.entries()) {
    if (!isObject(message)) continue
    let changed = message
    for (const edit of edits) changed = edit(changed, draft)
    if (changed === message) continue
    edited ??= [...messages]
    edited[position] = changed
  }
  return edited ?? messages
}

function memberRules(rules: MessageRules | undefined): readonly MessageRule[] {
  const { roles, takes, drops } = rules ?? {}
  return [
    ...(roles === undefined ? [] : [roleRule(roles)]),
    ...(drops === undefined ? [] : [(message: JsonObject) => omitMembers(message, drops)]),
    ...(takes === undefined ? [] : [takenRule(takes)]),
  ]
}

function roleRule(roles: Readonly<Record<string, string>>): MessageRule {
  return (message) => {
    const role = textOf(message.role)
    return Object.hasOwn(roles, role) ? { ...message, role: roles[role] } : message
  }
}

function takenRule(takes: NonNullable<MessageRules['takes']>): MessageRule {
  const { other = [] } = takes
  return (message) => {
    const role = textOf(message.role)
    const known = (Object.hasOwn(takes, role) ? takes[role] : undefined) ?? other
    return omitMembers(
      message,
      Object.keys(message).filter((name) => !known.includes(name)),
    )
  }
}

/** Members that hold the reasoning of a turn at one vendor or another. */
const reasoningMembers = ['reasoning_content', 'reasoning', 'reasoning_details'] as const

function historyRules(history: HistoryRules | undefined): readonly MessageRule[] {
  if (history === undefined) return []
  const { reasoning, refusesOtherNames, exceptCalls, turns } = history
  if (reasoning === 'forbidden')
    return [forbiddenRule(exceptCalls === true), ...(turns === undefined ? [] : [requiredRule(history)])]
  return [
    ...(refusesOtherNames === true ? [renamedRule(history.field)] : []),
    ...(reasoning === 'required' ? [requiredRule(history)] : []),
  ]
}

function forbiddenRule(exceptCalls: boolean): MessageRule {
  return (message) =>
    message.role !== 'assistant' || (exceptCalls && callsTools(message))
      ? message
      : omitMembers(message, reasoningMembers)
}

/** Moves the text to the one name that the vendor takes. */
function renamedRule(field: HistoryRules['field']): MessageRule {
  const others = reasoningMembers.filter((name) => name !== field)
  return (message) => {
    if (message.role !== 'assistant' || !others.some((name) => name in message)) return message
    const text = reasoningIn(message)
    const rest = omitMembers(message, others)
    return text === undefined || field in rest ? rest : { ...rest, [field]: text }
  }
}

/** Turns of callers that cannot keep reasoning get the form that the vendor documents for none. */
function requiredRule({ field, turns = 'with-calls', empty = '' }: HistoryRules): MessageRule {
  return (message, { thinks }) => {
    if (!thinks || message.role !== 'assistant' || typeof message[field] === 'string') return message
    if (turns === 'with-calls' && !callsTools(message)) return message
    return { ...message, [field]: reasoningIn(message) ?? empty }
  }
}

function reasoningIn(message: JsonObject): string | undefined {
  const texts = [message.reasoning_content, message.reasoning]
  return texts.find((text) => typeof text === 'string' && text !== '') as string | undefined // The test is that of the type.
}

function callsTools(message: JsonObject): boolean {
  return listOf(message.tool_calls).length > 0
}
