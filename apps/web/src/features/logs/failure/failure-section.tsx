import type { LogEntry, LogOther } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../../components/ui/tag.tsx'
import { useFailureText } from './use-failure-text.ts'

/** Why a call failed, what its caller was told word for word, and that it cost nothing. */
export function FailureSection({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  const sentence = useFailureText()(entry, other)
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="bad" title={sentence}>
        {t('entry.uncharged')}
      </Notice>
      {entry.content !== '' && entry.content !== sentence && (
        <figure>
          <figcaption className="text-muted text-xs">{t('failure.told')}</figcaption>
          <blockquote className="mt-1 whitespace-pre-wrap break-words border-l-2 pl-3 text-sm">
            {entry.content}
          </blockquote>
        </figure>
      )}
    </div>
  )
}
