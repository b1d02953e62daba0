import { type ToolCalls, toolCallsOf } from '../costs/charged-tools.ts'
import { type JsonObject, objectOf } from '../json-value.ts'

/**
 * Tools that an upstream ran, as its usage counts them in OpenAI's formats: xAI by kind, its older search by source, Qwen
 * under `plugins` or `x_tools`, Volcengine under `tool_usage`, OpenRouter as Anthropic does.
 * https://docs.x.ai/developers/tools/tool-usage-details
 * https://help.aliyun.com/zh/model-studio/qwen-api-via-openai-responses
 * https://www.volcengine.com/docs/82379/1783703
 * https://openrouter.ai/docs/guides/features/server-tools/web-search
 */
export function reportedTools(usage: JsonObject): ToolCalls | undefined {
  const details = objectOf(usage.server_side_tool_usage_details)
  const ofQwen = { ...objectOf(usage.plugins), ...objectOf(usage.x_tools) }
  const ofVolcengine = objectOf(usage.tool_usage)
  const countIn = (tool: unknown) => objectOf(tool).count
  return toolCallsOf({
    web_search:
      details.web_search_calls ??
      countIn(ofQwen.web_search ?? ofQwen.search) ??
      ofVolcengine.web_search ??
      objectOf(usage.server_tool_use).web_search_requests,
    x_search: details.x_search_calls,
    code_interpreter: details.code_interpreter_calls ?? countIn(ofQwen.code_interpreter),
    file_search: details.file_search_calls,
    attachment_search: details.document_search_calls,
    image_generation: details.image_generation_calls,
    live_search: usage.num_sources_used,
  })
}
