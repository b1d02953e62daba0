import {
  type Check,
  type Checks,
  flag,
  integer,
  isAbsent,
  type RequestError,
  text,
  wrongType,
} from '../field-checks.ts'
import { type JsonObject, textOf } from '../json-value.ts'
import { invalid, missing } from '../openai-chat/request-checks.ts'

/** More than any vendor makes at once. */
const maxImages = 128

const sizeText: Check = (value, param) => {
  if (typeof value !== 'string') return wrongType(param, 'a text such as "1024x1024"')
  return value.includes('×')
    ? invalid(param, `${param} is invalid: write it with the letter x, for example "1024x1024"`)
    : undefined
}

export const imageChecks: Checks = {
  n: integer(1, maxImages),
  size: sizeText,
  quality: text,
  response_format: text,
  stream: flag,
}

const squares: readonly string[] = ['256x256', '512x512', '1024x1024']
const sizesOfDallE3: readonly string[] = ['1024x1024', '1024x1792', '1792x1024']

/** @param defaultModel of a request that names none */
export function checkImageRequest(body: JsonObject, defaultModel: string): RequestError | undefined {
  const { prompt, size } = body
  if (isAbsent(prompt) || prompt === '')
    return missing('prompt', 'prompt is required: say what the image is to show')
  if (typeof prompt !== 'string') return wrongType('prompt', 'a text')
  return isAbsent(size) ? undefined : checkSize(textOf(body.model) || defaultModel, size)
}

/** The sizes that DALL·E makes; every other model's are its own to judge. */
function checkSize(model: string, size: unknown): RequestError | undefined {
  const sizes = sizesOf(model)
  if (sizes === undefined || typeof size !== 'string' || size.includes('×') || sizes.includes(size))
    return undefined
  return invalid(
    'size',
    'size must be one of 256x256, 512x512, or 1024x1024, dall-e-3 1024x1792 or 1792x1024',
  )
}

function sizesOf(model: string): readonly string[] | undefined {
  if (model === 'dall-e-3') return sizesOfDallE3
  return model === 'dall-e' || model === 'dall-e-2' ? squares : undefined
}
