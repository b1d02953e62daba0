/** Traits of a Claude model, as far as it depends on its generation. Anthropic's compatible upstreams have other names. */
export interface ClaudeTraits {
  /**
   * Way to ask for reasoning: a budget of tokens, an effort that the model spends as it needs, or not at all.
   * `both`: a budget is taken too.
   */
  readonly thinking: 'budget' | 'adaptive' | 'both' | 'none'
  /** Way to switch it off: by saying so, by saying nothing, or never. */
  readonly thinkingOff: 'disabled' | 'absent' | 'never'
  readonly xhighEffort: boolean
  /** Takes temperature, top_p and top_k. */
  readonly sampling: boolean
  /** Takes temperature and top_p in one request. */
  readonly temperatureWithTopP: boolean
  /** Takes a JSON Schema in `output_config.format`, and strict tools. */
  readonly structuredOutput: boolean
  /** Takes system messages between the others. */
  readonly laterSystem: boolean
  /** Most output tokens where that is below the usual default. */
  readonly outputCap: number | undefined
}

/** https://platform.claude.com/docs/en/about-claude/models/overview and the pages of each field */
export function claudeTraits(model: string): ClaudeTraits {
  const found = generationOf(model)
  if (found === undefined) return unknownModel
  const { family, version } = found
  return {
    thinking: thinkingOf(version),
    thinkingOff: thinkingOffOf(family, version),
    xhighEffort: version >= 407,
    sampling: version < 407,
    temperatureWithTopP: version < 401,
    structuredOutput: version >= 405,
    laterSystem: version >= 408,
    outputCap: version < 305 ? 4096 : undefined,
  }
}

/** A model of another vendor behind this format: what every one of them takes. */
const unknownModel: ClaudeTraits = {
  thinking: 'budget',
  thinkingOff: 'disabled',
  xhighEffort: false,
  sampling: true,
  temperatureWithTopP: true,
  structuredOutput: false,
  laterSystem: false,
  outputCap: undefined,
}

function thinkingOf(version: number): ClaudeTraits['thinking'] {
  if (version < 307) return 'none'
  if (version < 406) return 'budget'
  return version < 407 ? 'both' : 'adaptive'
}

/** Fable and Mythos always think; Opus 4.7 and 4.8 refuse `disabled` at some clouds and are off without it. */
function thinkingOffOf(family: string, version: number): ClaudeTraits['thinkingOff'] {
  if (family === 'fable' || family === 'mythos') return 'never'
  return version < 307 || (version >= 407 && version < 500) ? 'absent' : 'disabled'
}

/** `claude-opus-4-8`, `claude-sonnet-4.5`, `us.anthropic.claude-opus-4-20250514-v1:0`; before 4: `claude-3-5-sonnet`. */
const familyFirst = /claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/
const versionFirst = /claude-(\d)(?:[-.](\d))?-([a-z]+)/

interface Generation {
  readonly family: string
  /** 4.10 is later than 4.9: 410 and 409. */
  readonly version: number
}

function generationOf(model: string): Generation | undefined {
  const name = model.toLowerCase()
  const newer = familyFirst.exec(name)
  if (newer !== null) return { family: newer[1] ?? '', version: versionOf(newer[2], newer[3]) }
  const older = versionFirst.exec(name)
  return older === null ? undefined : { family: older[3] ?? '', version: versionOf(older[1], older[2]) }
}

function versionOf(major = '0', minor = '0'): number {
  return Number(major) * 100 + Number(minor)
}
