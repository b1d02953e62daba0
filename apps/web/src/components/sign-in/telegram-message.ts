import { fieldsOf, parseJson } from '../../lib/format/json.ts'

/** An identity at Telegram, signed with the bot's token. It is forwarded unchanged, because the signature covers all of it. */
export type TelegramIdentity = Readonly<Record<string, string | number>>

/** Messages of Telegram's frame to the page around it. */
type TelegramMessage =
  | { readonly kind: 'identity'; readonly identity: TelegramIdentity }
  | { readonly kind: 'size'; readonly width: number | undefined; readonly height: number | undefined }

/** Reads a message of the frame; what is not understood is nothing. https://core.telegram.org/widgets/login */
export function readTelegramMessage(data: unknown): TelegramMessage | undefined {
  const {
    event,
    auth_data: identity,
    init,
    width,
    height,
  } = fieldsOf(typeof data === 'string' ? parseJson(data) : undefined)
  // `init` reports an earlier login; the user has not pressed the button.
  if (event === 'auth_user' && !init && isIdentity(identity)) return { kind: 'identity', identity }
  if (event === 'resize') return { kind: 'size', width: pixels(width), height: pixels(height) }
  return undefined
}

function isIdentity(value: unknown): value is TelegramIdentity {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((field) => typeof field === 'string' || typeof field === 'number')
  )
}

function pixels(value: unknown): number | undefined {
  const size = Number(value)
  return size > 0 && size <= 1000 ? size : undefined
}
