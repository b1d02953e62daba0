import { type ChatCodec, RequestFault } from '../canonical/codec.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'
import { openAiChat } from '../openai-chat/codec.ts'
import { checkModel, choicesIn, missingField } from '../openai-chat/request/inspect.ts'
import { promptOfInput } from '../openai-chat/request/prompt.ts'
import { fieldsOf } from '../openai-chat/request.ts'
import {
  type Checks,
  decimal,
  integer,
  isAbsent,
  type RequestError,
  runChecks,
  wrongType,
} from '../requests/fields.ts'

const checks: Checks = { n: integer(1, 20), temperature: decimal(0, 2), top_p: decimal(0, 1) }

/**
 * `/v1/edits`: an instruction and a text to change, a format older than chat. No upstream supports it any more, so the
 * gateway sends every call as chat: no call passes as received, and none streams.
 */
export const openAiEdits: ChatCodec = {
  ...openAiChat,
  format: 'provider:openai-edits',
  decisiveFields: fieldsOf(checks, 'input', 'instruction'),
  inOwnWords: () => undefined,
  inspectRequest(body) {
    const problem = checkModel(body.model) ?? checkTexts(body) ?? runChecks(body, checks)
    if (problem !== undefined) throw new RequestFault(problem.message, problem.param, problem.code)
    return {
      model: textOf(body.model),
      stream: false,
      includeUsage: true,
      maxOutputTokens: undefined,
      candidates: choicesIn(body, checks),
      reasoningEffort: '',
    }
  },
  promptOf: ({ instruction, input }) => promptOfInput([instruction, input]),
  decodeRequest: (body, path) => openAiChat.decodeRequest(chatOf(body), path),
  encodeResponse(response, call) {
    const { created, choices, usage } = objectOf(openAiChat.encodeResponse(response, call))
    return {
      object: 'edit',
      created,
      choices: listOf(choices).map((choice, index) => ({
        text: textOf(objectOf(objectOf(choice).message).content),
        index,
      })),
      usage,
    }
  },
}

function checkTexts({ instruction, input }: JsonObject): RequestError | undefined {
  if (isAbsent(instruction) || instruction === '')
    return missingField('instruction', 'field instruction is required: say how the input is to be changed')
  if (typeof instruction !== 'string') return wrongType('instruction', 'a text')
  return isAbsent(input) || typeof input === 'string' ? undefined : wrongType('input', 'a text')
}

function chatOf({ model, instruction, input, n, temperature, top_p }: JsonObject): JsonObject {
  const system =
    'Change the text of the user by this instruction, and answer with the changed text alone.\n\n'
  const content = textOf(input)
  return {
    model,
    messages:
      content === ''
        ? [{ role: 'user', content: instruction }]
        : [
            { role: 'system', content: `${system}${textOf(instruction)}` },
            { role: 'user', content },
          ],
    ...(!isAbsent(n) && { n }),
    ...(!isAbsent(temperature) && { temperature }),
    ...(!isAbsent(top_p) && { top_p }),
  }
}
