import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ReceiptText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../../../lib/format/format.ts'
import type { Times } from '../../../../lib/format/time-range.ts'
import { dateNow } from '../../../../lib/server-clock.ts'
import { hasPart, useUser } from '../../../../lib/session/session.ts'
import type { PaletteEntry } from '../palette-item.tsx'
import { channelSearch, modelSearch } from '../use-palette-search.ts'
import { type LogWords, logSearchOf, readLogWords } from './log-words.ts'

/** Returns the page of the log that typed words describe, as the one row of its group; none for other texts. */
export function useLogLink(typed: string): readonly PaletteEntry[] {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const user = useUser()
  const { data: models = [] } = useQuery({
    ...modelSearch(user ? typed : ''),
    select: (names: readonly string[]) => names,
  })
  const everyones = hasPart(user, 'log')
  const words = user && readLogWords(typed, { now: dateNow(), self: user.username, everyones, models })
  const describe = useDescription()
  const channelName = words?.channel !== undefined && !isNumber(words.channel) ? words.channel : ''
  const { data: channels } = useQuery(channelSearch(channelName, hasPart(user, 'channels')))
  const channel = channels?.find(({ name }) => sameText(name, channelName)) ?? channels?.[0]
  if (!words || (channelName !== '' && !channel)) return []
  const number = channel?.id ?? (words.channel === undefined ? undefined : Number(words.channel))
  return [
    {
      id: 'log-words',
      title: t('palette.log.title'),
      detail: describe({ ...words, ...(channel && { channel: channel.name }) }),
      group: t('palette.log.group'),
      icon: ReceiptText,
      // What is typed is what it does: it comes before pages whose names fit a part.
      keywords: [typed],
      run: () => void navigate({ to: '/log', search: logSearchOf(words, number, models) }),
    },
  ]
}

function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function isNumber(text: string): boolean {
  return /^\d{1,9}$/.test(text)
}

/** Returns the function that says which calls words mean, as the log's filters would. */
function useDescription(): (words: LogWords) => string {
  const { t } = useTranslation('shell')
  const { t: common } = useTranslation()
  const times = ({ range, from, to }: Times): string => {
    if (range !== undefined && range !== 'custom') return common(`time.range.${range}`)
    // The log's own time where no other is named.
    if (from === undefined)
      return to === undefined
        ? common('time.range.today')
        : t('palette.log.until', { to: formatDateTime(to + 1) })
    if (to === undefined) return t('palette.log.since', { from: formatDateTime(from) })
    return t('palette.log.between', { from: formatDateTime(from), to: formatDateTime(to) })
  }
  return ({ result, sort, user, model, key, channel, ...span }) =>
    [
      result && t(`palette.log.${result}`),
      sort && t(`palette.log.${sort}`),
      user && t('palette.log.user', { user }),
      model && t('palette.log.model', { model }),
      key && t('palette.log.key', { key }),
      channel && t('palette.log.channel', { channel }),
      times(span),
    ]
      .filter(Boolean)
      .join(t('palette.log.separator'))
}
