import {
  type ChatRequest,
  type FormatName,
  type FunctionTool,
  lostVendorFields,
  type OutputFormat,
  supportedTools,
  unsupported,
} from '@tollgate/formats'

/** Options of a request that an upstream may take, by the names that callers know. */
export type Option =
  | 'max_tokens'
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'seed'
  | 'stop'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'user'
  | 'reasoning_effort'
  | 'json_object'

/**
 * Names of the options that an upstream with few fields does not receive, for a warning to the caller.
 * @throws RequestFault for an option whose loss would change the response
 */
export function droppedOptions(
  request: ChatRequest,
  format: FormatName,
  takes: ReadonlySet<Option>,
): Set<string> {
  const { sampling, options, outputFormat } = request
  if (sampling.candidates > 1) throw unsupported('n', 'the upstream gives one answer to a request')
  if (sampling.stop.length > 0 && !takes.has('stop'))
    throw unsupported('stop', 'the upstream knows no stop sequences')
  if (options.modalities?.some((modality) => modality !== 'text') === true)
    throw unsupported('modalities', 'the upstream answers with text alone')
  checkOutput(outputFormat, takes)
  const names = optionsIn(request).filter((name) => !takes.has(name as Option))
  return new Set([...lostVendorFields(request.vendor, format), ...names])
}

function checkOutput(format: OutputFormat | undefined, takes: ReadonlySet<Option>): void {
  if (format === undefined || format.type === 'text') return
  if (format.type === 'json' && takes.has('json_object')) return
  throw unsupported('response_format', 'the upstream cannot be held to a form of its answer')
}

/** The options that are there. */
function optionsIn({
  sampling,
  options,
  maxOutputTokens,
  reasoning,
  messages,
}: ChatRequest): readonly string[] {
  const found: Readonly<Record<string, unknown>> = {
    max_tokens: maxOutputTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    logprobs: sampling.logprobs,
    user: options.user,
    metadata: options.metadata,
    service_tier: options.serviceTier,
    prompt_cache_key: options.promptCacheKey,
    verbosity: options.verbosity,
    reasoning_effort: reasoning?.effort ?? reasoning?.budgetTokens,
    cache_control: messages.some(isMarked) || undefined,
    is_error: messages.some(hasFailedResult) || undefined,
  }
  return Object.keys(found).filter((name) => found[name] !== undefined)
}

function isMarked({ parts }: ChatRequest['messages'][number]): boolean {
  return parts.some((part) => 'cache' in part && part.cache !== undefined)
}

/** Recognises a result that failed, of which its text alone says so: no field does. */
function hasFailedResult({ parts }: ChatRequest['messages'][number]): boolean {
  return parts.some((part) => part.type === 'tool-result' && part.isError === true)
}

/** The nearest value that the upstream accepts; `undefined` when the caller set none. */
export function within(value: number | undefined, min: number, max: number): number | undefined {
  return value === undefined ? undefined : Math.min(Math.max(value, min), max)
}

/** Functions that the model may call. */
export interface ToolPlan {
  readonly tools: readonly FunctionTool[]
  /** Name of the one that it must call; `undefined` when it may choose. */
  readonly forced: string | undefined
}

/**
 * Plans tools for upstreams whose only choice of tools is one function by its name.
 * @throws RequestFault for any other choice
 */
export function planTools(request: ChatRequest, dropped: Set<string>): ToolPlan {
  const { toolChoice } = request
  const carried = supportedTools(request, dropped, () => false).filter((tool) => tool.type === 'function')
  if (toolChoice === undefined || toolChoice.type === 'auto') return { tools: carried, forced: undefined }
  switch (toolChoice.type) {
    case 'none':
      return { tools: [], forced: undefined }
    case 'tool':
      return { tools: carried, forced: toolChoice.name }
    case 'required':
      return { tools: carried, forced: onlyOne(carried) }
    case 'allowed': {
      const allowed = carried.filter(({ name }) => toolChoice.names.includes(name))
      return { tools: allowed, forced: toolChoice.required ? onlyOne(allowed) : undefined }
    }
  }
}

function onlyOne(tools: readonly FunctionTool[]): string | undefined {
  if (tools.length > 1)
    throw unsupported('tool_choice', 'the upstream can be told to call one tool by its name, or to choose')
  return tools[0]?.name
}
