import { listOf, objectOf, type RequestQuirks } from '@tollgate/formats'
import { composeEdits, editMessages, type MessageEdit } from '../edits/message-edits.ts'

/** The model writes on where a response of its own is the last message, which has to be said. */
const lastAsPrefix: MessageEdit = (message, position, all) =>
  message.role === 'assistant' && position === all.length - 1 && message.prefix === undefined
    ? { ...message, prefix: true }
    : message

/** An image is named by its address alone. */
const plainImages: MessageEdit = (message) => {
  const content = listOf(message.content)
  const isWrapped = (part: unknown) => typeof objectOf(objectOf(part).image_url).url === 'string'
  if (!content.some(isWrapped)) return message
  const plain = (part: unknown) =>
    isWrapped(part) ? { type: 'image_url', image_url: objectOf(objectOf(part).image_url).url } : part
  return { ...message, content: content.map(plain) }
}

const messageEdits = composeEdits(lastAsPrefix, plainImages)

/** Messages as Mistral reads them. */
export const mistralMessages: RequestQuirks = (request) => editMessages(request, messageEdits)
