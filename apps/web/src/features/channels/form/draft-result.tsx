import type { ChannelDraftTest } from '@tollgate/api'
import { CircleCheck, CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../../lib/cx.ts'
import { formatDuration } from '../../../lib/format/format.ts'

/** Shows the result of testing the form: the model, the upstream's status, the time it took, and the reason of a failure. */
export function DraftResult({ result }: { readonly result: ChannelDraftTest }) {
  const { t } = useTranslation('channels')
  const { passed, model, status, time, message, tested_keys: tested = 1, failed_keys: failed = [] } = result
  const Icon = passed ? CircleCheck : CircleX
  return (
    <div
      role={passed ? 'status' : 'alert'}
      className={cx(
        'mb-3 flex max-h-32 items-start gap-2.5 overflow-y-auto rounded px-3 py-2 text-sm',
        passed ? 'bg-good-soft text-good' : 'bg-bad-soft text-bad',
      )}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-3 font-medium">
          <span>{t(passed ? 'draft.passed' : 'draft.failed')}</span>
          <span className="figures">
            {status > 0 ? t('draft.status', { status }) : t('draft.noResponse')}
          </span>
          <span className="figures">{formatDuration(time * 1000)}</span>
          <span className="min-w-0 truncate font-mono font-normal text-xs leading-5">{model}</span>
        </p>
        {tested > 1 && (
          <p className="text-text text-xs">
            {t('draft.keys', { count: tested, passed: tested - failed.length })}
          </p>
        )}
        {failed.length > 0 && tested > 1 ? (
          <ul className="text-text text-xs">
            {failed.map(({ hint, status: ofKey, message: why }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two keys may have the same ends and fail alike
              <li key={index} className="break-words">
                <code>{hint}</code> {ofKey > 0 && <span className="figures">{ofKey}</span>} {why}
              </li>
            ))}
          </ul>
        ) : (
          message !== '' && <p className="break-words text-text text-xs">{message}</p>
        )}
      </div>
    </div>
  )
}
