import { Link } from '@tanstack/react-router'
import { CircleX, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { CopyText } from '../../../components/ui/copy.tsx'
import type { AssistantMessage } from '../chat/thread.ts'
import { leftEarly } from '../library/read-conversation.ts'
import type { ResponseError } from '../stream/response-part.ts'

export interface FailureProps {
  readonly response: AssistantMessage
  readonly error: ResponseError
  readonly onRetry: (id: string) => void
}

/** Why there is no answer, or only half of one, and what to do. */
export function Failure({ response, error, onRetry }: FailureProps) {
  const { t } = useTranslation('playground')
  const { requestId } = response
  return (
    <div role="alert" className="rounded bg-bad-soft px-3 py-2.5 text-sm">
      <div className="flex items-start gap-2.5">
        <CircleX className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-bad">
            {t(response.content === '' ? 'error.title' : 'error.brokeOff')}
          </p>
          <p className="mt-0.5 break-words">{useReason(error)}</p>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 text-muted text-xs">
            {error.status > 200 && (
              <span className="figures">{t('error.status', { status: error.status })}</span>
            )}
            {error.code !== '' && error.code !== leftEarly && (
              <span className="break-all font-mono">{error.code}</span>
            )}
            {requestId !== '' && <CopyText value={requestId} />}
          </p>
        </div>
        <div className="flex shrink-0 flex-col gap-2">
          {error.status === 401 && (
            <Link
              to="/login"
              search={{ expired: true, redirect: '/playground' }}
              className={buttonClass('primary', 'sm')}
            >
              {t('error.logIn')}
            </Link>
          )}
          <Button size="sm" icon={RotateCw} onClick={() => onRetry(response.id)}>
            {t('retry')}
          </Button>
        </div>
      </div>
    </div>
  )
}

function useReason({ message, code, status }: ResponseError): string {
  const { t } = useTranslation('playground')
  if (message !== '') return message
  if (code === leftEarly) return t('error.leftEarly')
  return status === 0 ? t('error.offline') : t('error.noMessage')
}
