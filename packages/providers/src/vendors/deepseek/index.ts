import { type JsonEdits, listOf, objectOf, type RequestQuirks, type RequestText } from '@tollgate/formats'
import { mergeEdits, noEdits } from '../../edits/json-edits.ts'
import { editMessages, type MessageEdit, messagesEdit, withoutReasoning } from '../../edits/message-edits.ts'
import { isModel } from '../../models/model-facts.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import type { ChannelTarget } from '../../provider.ts'
import { amount, balanceAt, field } from '../../queries/balance.ts'

/** These models called no tools: reasoning beside a call comes from a later model of the same name, which requires it back. */
const withoutIdleReasoning: MessageEdit = (message, place, all) =>
  listOf(message.tool_calls).length > 0 ? message : withoutReasoning(message, place, all)
const unchanged: MessageEdit = (message) => message
/** The name of the former model without reasoning: a caller that uses it wants none. */
const formerChatName = 'deepseek-chat'

const quirks: RequestQuirks = (request, model) => {
  if (request.body.messages === undefined) return noEdits
  const edit = isModel('deepseek-refuses-reasoning', model) ? withoutIdleReasoning : unchanged
  return mergeEdits(thinkingFields(request, model), schemaAsInstruction(request, edit))
}

/** https://api-docs.deepseek.com/guides/thinking_mode */
function thinkingFields({ body }: RequestText, model: string): JsonEdits {
  if (body.thinking != null) return noEdits
  const isOff = body.reasoning_effort === 'none'
  const isFormer =
    body.model === formerChatName &&
    isModel('deepseek-switches-thinking', model) &&
    body.reasoning_effort == null
  if (!isOff && !isFormer) return noEdits
  return new Map([
    ['reasoning_effort', undefined],
    ['thinking', '{"type":"disabled"}'],
  ])
}

/** It knows JSON, but no schema of it: the schema becomes an instruction. https://api-docs.deepseek.com/guides/json_mode */
function schemaAsInstruction(request: RequestText, edit: MessageEdit): JsonEdits {
  const { response_format: format, messages } = request.body
  const edits = editMessages(request, edit)
  if (objectOf(format).type !== 'json_schema') return edits
  const { schema } = objectOf(objectOf(format).json_schema)
  const content = `Answer with one JSON object and nothing else. It must fit this JSON schema:\n${JSON.stringify(schema ?? {})}`
  const said = listOf(messages).map((message, place, all) => edit(objectOf(message), place, all))
  return mergeEdits(
    messagesEdit([{ role: 'system', content }, ...said]),
    new Map([['response_format', '{"type":"json_object"}']]),
  )
}

/** Completions (fill in the middle) live under `/beta`, where everything else can be had, too. https://api-docs.deepseek.com */
export const deepseek = openAiCompatible({
  id: 'deepseek',
  root: ({ baseUrl }, mode) => {
    if (mode === 'models' || baseUrl.endsWith('/beta')) return ''
    return mode === 'completions' ? '/beta' : '/v1'
  },
  serves: ['chat', 'completions'],
  lacks: ['max_completion_tokens', 'developer'],
  quirks,
  // https://api-docs.deepseek.com/api/get-user-balance
  balance: balanceAt(
    ({ baseUrl }: ChannelTarget) => ({
      method: 'GET',
      url: `${baseUrl.replace(/\/(v1|beta)$/, '')}/user/balance`,
      headers: {},
    }),
    walletIn,
  ),
})

/** An account may have a wallet per currency; the vendor's own one is in CNY. */
function walletIn(body: unknown): number | undefined {
  const wallets = field(body, 'balance_infos')
  if (!Array.isArray(wallets)) return undefined
  const yuan: unknown = wallets.find((wallet) => field(wallet, 'currency') === 'CNY')
  return amount(field(yuan ?? wallets[0], 'total_balance'))
}
