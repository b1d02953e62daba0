import { type JsonEdits, listOf, objectOf, type RequestQuirks, type RequestText } from '@tollgate/formats'
import { mergeEdits, noEdits } from '../../edits/json-edits.ts'
import { messagesEdit } from '../../edits/message-edits.ts'
import { isModel } from '../../models/model-facts.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import type { ChannelTarget } from '../../provider.ts'
import { amount, balanceAt, field } from '../../queries/balance.ts'

/** The name of the former model without reasoning: a caller that uses it wants none. */
const formerChatName = 'deepseek-chat'

const quirks: RequestQuirks = (request, model) =>
  !('messages' in request.body)
    ? noEdits
    : mergeEdits(withoutThinking(request, model), schemaAsInstruction(request))

/** https://api-docs.deepseek.com/guides/thinking_mode */
function withoutThinking({ body }: RequestText, model: string): JsonEdits {
  const isFormer = body.model === formerChatName && isModel('deepseek-switches-thinking', model)
  const isStated = body.thinking != null || body.reasoning_effort != null
  return isFormer && !isStated ? new Map([['thinking', '{"type":"disabled"}']]) : noEdits
}

/** It knows JSON, but no schema of it: the schema becomes an instruction. https://api-docs.deepseek.com/guides/json_mode */
function schemaAsInstruction({ body }: RequestText): JsonEdits {
  const { response_format: format } = body
  if (objectOf(format).type !== 'json_schema') return noEdits
  const { schema } = objectOf(objectOf(format).json_schema)
  const content = `Answer with one JSON object and nothing else. It must fit this JSON schema:\n${JSON.stringify(schema ?? {})}`
  return mergeEdits(
    messagesEdit([{ role: 'system', content }, ...listOf(body.messages)]),
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

/**
 * The wallet that pays: an account may have one per currency, and an empty one says nothing of the other. CNY, the vendor's own
 * currency, comes first.
 */
function walletIn(body: unknown): number | undefined {
  const infos = field(body, 'balance_infos')
  if (!Array.isArray(infos)) return undefined
  const amounts = infos
    .toSorted((a, b) => Number(isYuan(b)) - Number(isYuan(a)))
    .map((wallet: unknown) => amount(field(wallet, 'total_balance')))
  return amounts.find((left) => left !== undefined && left > 0) ?? amounts[0]
}

function isYuan(wallet: unknown): boolean {
  return field(wallet, 'currency') === 'CNY'
}
