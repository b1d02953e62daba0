import type { MemberTexts } from '../json/member-editor.ts'

/** Members in which responses and events of a format name their model. Formats that are not listed here name it at the top. */
const namedIn: Readonly<Record<string, (model: string) => MemberTexts>> = {
  // `response.created` to `response.completed` hold the response.
  'openai-responses': (model) => ({ model, response: { model } }),
  'openai-compaction': (model) => ({ model, response: { model } }),
  // `message_start` holds the message.
  'anthropic-messages': (model) => ({ model, message: { model } }),
  gemini: (modelVersion) => ({ modelVersion }),
}

/** The members of responses of a format that name the model, with the name that its caller has for it. */
export function modelMembers(format: string, model: string): MemberTexts {
  return namedIn[format]?.(model) ?? { model }
}

/**
 * A message of an upstream with its caller's name of the model in the place of those that the upstream has for it: also with a
 * vendor in front or a version behind, in any case, never as part of another name. A name that is a plain word counts only where
 * the message quotes it or says that it is a model.
 * @param names by which the upstream knows the model
 */
export function inCallersModel(text: string, names: Iterable<string>, caller: string): string {
  let out = text
  for (const name of names)
    if (name !== '' && name !== caller)
      out = out.replace(patternOf(name), (_, path = '') => `${path}${caller}`)
  return out
}

const plainWord = /^[a-z]+$/i
/** A snapshot or a tag of the same model. */
const version = '(?:[-@](?:\\d{4}-\\d{2}-\\d{2}|\\d{3,8})|[-:@]latest)?'
/** Neither a longer name nor a version of another model goes on behind it. */
const behind = '(?![\\w-]|[.:@/]\\w)'

function patternOf(name: string): RegExp {
  const literal = name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  if (plainWord.test(name))
    return new RegExp(`((?<![\\w./-])models?[ :=/]+|["'\`])${literal}(?![\\w-])`, 'gi')
  // Gemini's callers name models so themselves; any other path is a vendor's or a host's.
  return new RegExp(`(?<![\\w./-])(models\\/)?(?:[\\w-]+[./])*${literal}${version}${behind}`, 'gi')
}
