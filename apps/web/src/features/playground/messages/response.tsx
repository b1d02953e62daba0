import { RotateCw } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { type AssistantMessage, isOpen } from '../chat/thread.ts'
import { Failure } from './failure.tsx'
import { Reasoning } from './reasoning.tsx'
import { ResponseFacts } from './response-facts.tsx'

const loadMarkdown = () => import('./markdown.tsx')
const MarkdownText = lazy(() => loadMarkdown().then((module) => ({ default: module.MarkdownText })))

export interface AssistantResponseProps {
  readonly response: AssistantMessage
  readonly onRetry: (id: string) => void
}

/** What a model said, or why it did not. */
export const AssistantResponse = memo(function AssistantResponse({
  response,
  onRetry,
}: AssistantResponseProps) {
  const { t } = useTranslation('playground')
  const { status, content, reasoning, error } = response
  const open = isOpen(response)
  return (
    <article aria-busy={open} aria-label={t('answerOf', { model: response.model })} className="group min-w-0">
      <p className="mb-1.5 flex items-baseline gap-2 text-muted text-xs">
        <span className="truncate font-medium font-mono text-text">{response.model}</span>
        {response.group !== '' && <span className="truncate">{response.group}</span>}
      </p>
      <div className="flex flex-col gap-3">
        {reasoning !== '' && <Reasoning text={reasoning} thinking={open && content === ''} />}
        {status === 'loading' && <Waiting />}
        {content !== '' && <ResponseText text={content} />}
        {error && <Failure response={response} error={error} onRetry={onRetry} />}
        {status === 'complete' && <EndNote response={response} />}
      </div>
      {!open && (
        <div className="mt-2 flex min-h-control-sm flex-wrap items-center gap-x-3 gap-y-1">
          <ResponseFacts response={response} />
          <span className="flex items-center opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100 max-sm:opacity-100 [@media(hover:none)]:opacity-100">
            {content !== '' && <CopyButton value={content} label={t('copyAnswer')} />}
            {!error && (
              <IconButton icon={RotateCw} label={t('retry')} size="sm" onClick={() => onRetry(response.id)} />
            )}
          </span>
        </div>
      )}
    </article>
  )
})

/** Drawing a long answer takes longer than its next piece; the newest text may come one step late. */
function ResponseText({ text }: { readonly text: string }) {
  const shown = useDeferredValue(text)
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap">{shown}</p>}>
      <MarkdownText text={shown} />
    </Suspense>
  )
}

function Waiting() {
  const { t } = useTranslation('playground')
  return (
    <p className="flex h-6 items-center gap-1" role="status">
      <span className="sr-only">{t('waiting')}</span>
      {[0, 1, 2].map((dot) => (
        <span
          key={dot}
          aria-hidden
          className="size-1.5 animate-pulse rounded-full bg-faint"
          style={{ animationDelay: `${dot * 160}ms` }}
        />
      ))}
    </p>
  )
}

/** Why an answer ends where it does, when it did not end by itself. */
function EndNote({ response }: { readonly response: AssistantMessage }): ReactNode {
  const { t } = useTranslation('playground')
  const note = response.stopped
    ? t('end.stopped')
    : response.stopReason === 'length'
      ? t('end.length')
      : response.stopReason === 'content_filter'
        ? t('end.filter')
        : response.content === '' && t('end.empty')
  return note && <p className="text-muted text-xs italic">{note}</p>
}
