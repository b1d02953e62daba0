import type { ReasoningOptions } from '../../canonical/request.ts'
import { isObject, type JsonObject, objectOf } from '../../json/value.ts'

/** A switch of thinking in canonical words, and the fields that it was read of. */
interface ThinkingSwitch {
  readonly reasoning: ReasoningOptions
  readonly fields: readonly string[]
}

/**
 * Reads the fields by which vendors of this format switch thinking, and which their callers also send to models of other vendors:
 * DeepSeek's, Kimi's and GLM's `thinking`, which clients of Claude send too, with its budget; Qwen's `enable_thinking` with
 * `thinking_budget`; vLLM's `chat_template_kwargs`. `undefined` where none of them is there, or says it in words of its own.
 * https://api-docs.deepseek.com/guides/thinking_mode
 * https://docs.litellm.ai/docs/reasoning_content
 * https://help.aliyun.com/zh/model-studio/deep-thinking
 * https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
 */
export function readSwitch(body: JsonObject): ThinkingSwitch | undefined {
  const { thinking, enable_thinking, thinking_budget, chat_template_kwargs } = body
  if (isObject(thinking)) return fromType(thinking)
  if (typeof enable_thinking === 'boolean')
    return switched(enable_thinking, thinking_budget, ['enable_thinking', 'thinking_budget'])
  const template = objectOf(chat_template_kwargs)
  const wanted = template.enable_thinking ?? template.thinking
  return typeof wanted === 'boolean' ? switched(wanted, undefined, ['chat_template_kwargs']) : undefined
}

function fromType({ type, budget_tokens: budget }: JsonObject): ThinkingSwitch | undefined {
  const fields = ['thinking']
  switch (type) {
    case 'disabled':
      return switched(false, undefined, fields)
    case 'enabled':
      return switched(true, budget, fields)
    case 'adaptive':
    case 'auto':
      return { reasoning: { budgetTokens: -1 }, fields }
    default:
      return undefined
  }
}

/** @param budget tokens; the model decides where there is none */
function switched(isOn: boolean, budget: unknown, fields: readonly string[]): ThinkingSwitch {
  if (!isOn) return { reasoning: { effort: 'none' }, fields }
  const budgetTokens = Number.isInteger(budget) && Number(budget) > 0 ? Number(budget) : -1
  return { reasoning: { budgetTokens, includeThoughts: true }, fields }
}
