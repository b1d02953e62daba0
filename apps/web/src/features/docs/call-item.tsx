import type { OpenApiDocument } from '@tollgate/api/openapi'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Tag, type Tone } from '../../components/ui/tag.tsx'
import { cx } from '../../lib/cx.ts'
import { CallDetails } from './call-details.tsx'
import type { DocumentedCall } from './groups.ts'

const methodTones: Readonly<Record<string, Tone>> = { GET: 'info', POST: 'good', PUT: 'warn', DELETE: 'bad' }

interface Props {
  readonly document: OpenApiDocument
  readonly call: DocumentedCall
  readonly open: boolean
  /** The page was opened by a link to it. */
  readonly linked: boolean
  readonly onToggle: () => void
}

/** One line of the list, and behind a press everything about the call. */
export function CallItem({ document, call, open, linked, onToggle }: Props) {
  const { t } = useTranslation('docs')
  const { method, path, operation } = call
  return (
    <li ref={linked ? bringIntoView : null} className="scroll-mt-4 max-sm:scroll-mt-18">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="grid w-full grid-cols-[auto_4rem_minmax(0,1fr)_auto] items-center gap-x-3 px-3 py-2 text-left hover:bg-row-hover max-sm:min-h-11 max-sm:grid-cols-[auto_minmax(0,1fr)_auto]"
        >
          <ChevronRight
            className={cx('size-3.5 shrink-0 text-faint transition-transform', open && 'rotate-90')}
            aria-hidden
          />
          <Tag mono tone={methodTones[method] ?? 'neutral'} className="w-fit max-sm:hidden">
            {method}
          </Tag>
          <span className="min-w-0">
            <span className="block break-words font-mono text-xs">
              <span className="sm:hidden">{method} </span>
              {path}
            </span>
            <span className="block text-muted text-xs">{operation.summary}</span>
          </span>
          <Tag>{t(`access.${operation['x-access']}`)}</Tag>
        </button>
      </h3>
      {open && <CallDetails document={document} call={call} />}
    </li>
  )
}

function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView()
}
