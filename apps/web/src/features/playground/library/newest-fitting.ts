import type { Conversation } from '../chat/conversation.ts'
import type { Message } from '../chat/thread.ts'

/** How many conversations are kept; the oldest make room. */
export const maxConversations = 50
/** And how much they hold together, in characters. */
const maxCharacters = 60_000_000

/** The newest that there is room for, and the others. */
export function newestFitting(conversations: readonly Conversation[], reserved = 0) {
  const newestFirst = [...conversations].sort((left, right) => right.updatedAt - left.updatedAt)
  let room = maxCharacters
  const count = newestFirst.findIndex((conversation, index) => {
    room -= sizeOf(conversation)
    return index >= maxConversations - reserved || room < 0
  })
  const end = count === -1 ? newestFirst.length : count
  return { fitting: newestFirst.slice(0, end), rest: newestFirst.slice(end) }
}

/** Roughly, in characters: pictures are nearly all of it. */
function sizeOf({ threads }: Conversation): number {
  return threads
    .flatMap((thread) => thread?.messages ?? [])
    .reduce((size, message) => size + message.content.length + imagesSize(message), 0)
}

function imagesSize(message: Message): number {
  return message.role === 'user' ? message.images.reduce((size, { url }) => size + url.length, 0) : 0
}
