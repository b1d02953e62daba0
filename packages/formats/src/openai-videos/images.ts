import { RequestFault } from '../canonical/codec.ts'
import { isAbsent } from '../field-checks.ts'
import { isObject, type JsonObject } from '../json-value.ts'

const maxImages = 16

/**
 * Pictures that go with an order: `input_reference`, `image` and `images`, in this order. Each is a text, an object with a
 * text in it, or a list of these.
 * @throws RequestFault for what is neither an address nor a data URL
 */
export function imagesOf(body: JsonObject): readonly string[] {
  const images = ['input_reference', 'image', 'images'].flatMap((field) => imagesIn(body[field], field))
  if (images.length <= maxImages) return images
  throw new RequestFault(`images has more than ${maxImages} images: send fewer`, 'images', 'invalid_value')
}

function imagesIn(value: unknown, field: string): readonly string[] {
  if (isAbsent(value) || value === '') return []
  if (Array.isArray(value))
    return value.flatMap((item) => (Array.isArray(item) ? [imageIn(item, field)] : imagesIn(item, field)))
  return [imageIn(value, field)]
}

function imageIn(value: unknown, field: string): string {
  if (isObject(value) && typeof value.file_id === 'string' && isAbsent(value.image_url))
    throw new RequestFault(
      `${field}.file_id is not supported: send the file itself, its address, or a data URL`,
      `${field}.file_id`,
      'unsupported_parameter',
    )
  const image = addressIn(value)
  if (typeof image === 'string' && isImage(image)) return image
  throw new RequestFault(
    `${field} is invalid: it must be a file, an address (https://…) or a data URL (data:image/png;base64,…)`,
    field,
    'invalid_value',
  )
}

function addressIn(value: unknown): unknown {
  if (!isObject(value)) return value
  const { image_url, url } = value
  return isObject(image_url) ? image_url.url : (image_url ?? url)
}

function isImage(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) || /^data:image\/[\w.+-]+;base64,[\w+/=-]/i.test(text)
}
