import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n/index.ts'
import { useStatus } from '../../lib/api/status.ts'
import { readTelegramMessage, type TelegramIdentity } from './telegram-message.ts'

const telegram = 'https://oauth.telegram.org'

export interface TelegramButtonProps {
  readonly onIdentity: (identity: TelegramIdentity) => void
}

/** Telegram's own login button. Its script would have to run here, so the frame that the script makes is made without it. */
export function TelegramButton({ onIdentity }: TelegramButtonProps): ReactNode {
  const { t } = useTranslation('login')
  const bot = useStatus()?.telegram_bot_name ?? ''
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef(onIdentity)
  const [{ width, height }, setSize] = useState({ width: 238, height: 40 })

  useEffect(() => {
    latest.current = onIdentity
  })
  useEffect(() => {
    const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin !== telegram || source === null || source !== frame.current?.contentWindow) return
      const message = readTelegramMessage(data)
      if (message?.kind === 'identity') latest.current(message.identity)
      if (message?.kind === 'size')
        setSize((last) => ({ width: message.width ?? last.width, height: message.height ?? last.height }))
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [])

  return (
    <iframe
      ref={frame}
      title={t('telegram.frame')}
      src={frameAddress(bot)}
      width={width}
      height={height}
      // The frame is drawn for light pages; without this a dark one gives it an opaque white ground.
      style={{ colorScheme: 'light' }}
      className="mx-auto max-w-full"
    />
  )
}

function frameAddress(bot: string): string {
  const query = new URLSearchParams({
    origin: window.location.origin,
    return_to: window.location.href,
    size: 'large',
    radius: '6',
    request_access: 'write',
    lang: currentLanguage(),
  })
  return `${telegram}/embed/${encodeURIComponent(bot.replace(/^@/, ''))}?${query}`
}
