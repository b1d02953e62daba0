import { numberOf } from '@tollgate/formats'
import type { Draft, Step } from './draft.ts'
import type { FieldRules } from './target-profile.ts'

/**
 * Fields whose loss would change the response: a target without them refuses the call. All other fields steer a call, or have a
 * default that does nearly the same.
 */
const essential: ReadonlySet<string> = new Set([
  ...[
    'model',
    'messages',
    'input',
    'prompt',
    'suffix',
    'instructions',
    'previous_response_id',
    'conversation',
  ],
  ...['n', 'stop', 'tools', 'tool_choice', 'functions', 'function_call', 'response_format', 'text'],
  ...[
    'audio',
    'modalities',
    'web_search_options',
    'max_tokens',
    'max_completion_tokens',
    'max_output_tokens',
  ],
])

/** Fields of OpenAI's formats, and those that other vendors and servers of its form add to them. */
const heardOf: ReadonlySet<string> = new Set([
  ...essential,
  ...[
    'temperature',
    'top_p',
    'seed',
    'presence_penalty',
    'frequency_penalty',
    'logit_bias',
    'logprobs',
    'top_logprobs',
  ],
  ...[
    'stream',
    'stream_options',
    'user',
    'metadata',
    'store',
    'service_tier',
    'prompt_cache_key',
    'verbosity',
  ],
  ...['prompt_cache_retention', 'safety_identifier', 'parallel_tool_calls', 'prediction', 'moderation'],
  ...[
    'reasoning_effort',
    'reasoning',
    'include_reasoning',
    'reasoning_format',
    'reasoning_split',
    'thinking',
  ],
  ...['enable_thinking', 'thinking_budget', 'disable_reasoning', 'clear_thinking', 'prompt_mode', 'think'],
  ...[
    'chat_template_kwargs',
    'top_k',
    'min_p',
    'top_a',
    'min_tokens',
    'repetition_penalty',
    'stop_token_ids',
  ],
  ...[
    'best_of',
    'echo',
    'guided_json',
    'guided_regex',
    'guided_choice',
    'extra_body',
    'random_seed',
    'safe_prompt',
  ],
  ...['do_sample', 'request_id', 'user_id', 'enable_search', 'search_options', 'provider', 'models', 'route'],
  ...[
    'transforms',
    'plugins',
    'usage',
    'include',
    'truncation',
    'background',
    'safety_settings',
    'thinking_blocks',
  ],
  ...[
    'cache_control',
    'context_management',
    'options',
    'keep_alive',
    'format',
    'search_parameters',
    'deferred',
  ],
])

/** Values that ask for nothing else than the default. */
const idle: Readonly<Record<string, readonly unknown[]>> = {
  n: [1],
  tool_choice: ['auto'],
  function_call: ['auto'],
  logprobs: [false],
  store: [false],
  presence_penalty: [0],
  frequency_penalty: [0],
  parallel_tool_calls: [true],
  service_tier: ['auto'],
  encoding_format: ['float'],
}

/** The steps of the rules, as far as they say anything. */
export function fieldSteps(rules: FieldRules, vendor: string): readonly Step[] {
  const { names = {}, values = {}, ranges = {}, lists = [], refuses = {}, drops = [], takes } = rules
  const steps: (Step | undefined)[] = [
    renameFields(Object.entries(names)),
    replaceValues(Object.entries(values)),
    clampNumbers(Object.entries(ranges)),
    wrapTexts(lists),
    refuseFields(Object.entries(refuses)),
    dropFields(drops),
    takes === 'any'
      ? undefined
      : closeFields(new Set([...takes, ...Object.values(names)]), vendor, rules.passesUnheardOf === true),
  ]
  return steps.filter((step) => step !== undefined)
}

function renameFields(names: readonly (readonly [string, string])[]): Step | undefined {
  if (names.length === 0) return undefined
  return (draft) => {
    for (const [from, to] of names) draft.rename(from, to)
  }
}

function dropFields(names: readonly string[]): Step | undefined {
  if (names.length === 0) return undefined
  return (draft) => {
    for (const name of names) dropField(draft, name)
  }
}

function replaceValues(
  values: readonly (readonly [string, Readonly<Record<string, unknown>>])[],
): Step | undefined {
  if (values.length === 0) return undefined
  return (draft) => {
    for (const [name, replacements] of values) {
      const value = draft.get(name)
      if (typeof value === 'object' || value === undefined || !Object.hasOwn(replacements, String(value)))
        continue
      const replacement = replacements[String(value)]
      if (replacement === null) draft.remove(name)
      else draft.set(name, replacement)
    }
  }
}

function clampNumbers(ranges: readonly (readonly [string, readonly [number, number]])[]): Step | undefined {
  if (ranges.length === 0) return undefined
  return (draft) => {
    for (const [name, [min, max]] of ranges) {
      const value = numberOf(draft.get(name))
      if (value !== undefined && (value < min || value > max)) draft.set(name, value < min ? min : max)
    }
  }
}

function wrapTexts(lists: readonly string[]): Step | undefined {
  if (lists.length === 0) return undefined
  return (draft) => {
    for (const name of lists) {
      const value = draft.get(name)
      if (typeof value === 'string') draft.set(name, [value])
    }
  }
}

function refuseFields(refused: readonly (readonly [string, string])[]): Step | undefined {
  if (refused.length === 0) return undefined
  return (draft) => {
    for (const [name, why] of refused) {
      const value = draft.get(name)
      if (value === undefined) continue
      if (isIdle(name, value)) draft.remove(name)
      else draft.refuse(name, why)
    }
  }
}

function dropField(draft: Draft, name: string): void {
  if (isIdle(name, draft.get(name)) || isOurs(name)) draft.remove(name)
  else draft.drop(name)
}

/** The gateway asks for usage by itself. */
function isOurs(name: string): boolean {
  return name === 'stream_options'
}

function closeFields(known: ReadonlySet<string>, vendor: string, passesUnheardOf: boolean): Step {
  return (draft) => {
    for (const name of draft.names()) {
      if (known.has(name) || (passesUnheardOf && !heardOf.has(name))) continue
      if (isIdle(name, draft.get(name)) || !essential.has(name)) dropField(draft, name)
      else draft.refuse(name, `${vendor} has no such field`)
    }
  }
}

function isIdle(name: string, value: unknown): boolean {
  if (value === undefined) return true
  if (Array.isArray(value) && value.length === 0) return true
  return Object.hasOwn(idle, name) && idle[name]?.includes(value) === true
}
