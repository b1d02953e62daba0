import { type ToolCalls, type ToolKind, toolCallsOf } from '../costs/charged-tools.ts'
import { serviceOf } from '../costs/service.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'
import { reportedTools } from '../openai-chat/reported-tools.ts'
import type { OtherCosts } from '../usage.ts'

/** What a finished response says of costs beside its tokens: who counts its tools is believed, else its items are counted. */
export function costsOf(response: JsonObject): OtherCosts {
  const toolCalls = reportedTools(objectOf(response.usage)) ?? toolsInItems(response)
  return { toolCalls, service: serviceOf({ tier: response.service_tier }) }
}

/**
 * A search is charged, looking into what it found is not; code is charged by the container.
 * https://developers.openai.com/api/docs/pricing
 */
function toolsInItems({ output, tools }: JsonObject): ToolCalls | undefined {
  const counts: Partial<Record<ToolKind, number>> = {}
  const containers = new Set<string>()
  const add = (kind: ToolKind) => {
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  for (const each of listOf(output)) {
    const item = objectOf(each)
    switch (item.type) {
      case 'web_search_call':
        if ((objectOf(item.action).type ?? 'search') === 'search') add(searchKind(tools))
        break
      case 'file_search_call':
        add('file_search')
        break
      case 'image_generation_call':
        add('image_generation')
        break
      case 'code_interpreter_call':
        containers.add(textOf(item.container_id))
    }
  }
  return toolCallsOf({ ...counts, code_interpreter: containers.size })
}

/** An item does not say which search it was, but the response repeats its tools. */
function searchKind(tools: unknown): ToolKind {
  const isPreview = listOf(tools).some((tool) => textOf(objectOf(tool).type).startsWith('web_search_preview'))
  return isPreview ? 'web_search_preview' : 'web_search'
}
