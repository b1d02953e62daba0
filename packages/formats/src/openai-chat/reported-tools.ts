import { type ToolCalls, toolCallsOf } from '../costs/charged-tools.ts'
import { type JsonObject, objectOf } from '../json-value.ts'

/**
 * Tools that an upstream ran, as its usage counts them in OpenAI's formats: xAI by kind, its older search by source, Qwen
 * under `plugins`.
 * https://docs.x.ai/developers/tools/tool-usage-details
 */
export function reportedTools(usage: JsonObject): ToolCalls | undefined {
  const details = objectOf(usage.server_side_tool_usage_details)
  const { search } = objectOf(usage.plugins)
  return toolCallsOf({
    web_search: details.web_search_calls ?? objectOf(search).count,
    x_search: details.x_search_calls,
    code_interpreter: details.code_interpreter_calls,
    file_search: details.file_search_calls,
    image_generation: details.image_generation_calls,
    live_search: usage.num_sources_used,
  })
}
