import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pageSizes } from '../../lib/browser/page-size.ts'
import { formatInteger } from '../../lib/format/format.ts'
import { IconButton } from './button.tsx'

export interface PaginationProps {
  /** One-based. */
  readonly page: number
  readonly pageSize: number
  readonly onPageChange: (page: number) => void
  readonly onPageSizeChange?: (size: number) => void
  /** Number of all rows; leave it out for lists that do not have it. */
  readonly total?: number | undefined
  /** Rows on this page. A full page of a list without a total may have a next one. */
  readonly count: number
}

/** Moves through a list, whether or not the server says how long it is. */
export function Pagination({
  page,
  pageSize,
  onPageChange,
  onPageSizeChange,
  total,
  count,
}: PaginationProps) {
  const { t } = useTranslation()
  const first = (page - 1) * pageSize + 1
  const last = first + count - 1
  const hasNext = total === undefined ? count >= pageSize : last < total
  const range = count === 0 ? '0' : `${formatInteger(first)}–${formatInteger(last)}`
  return (
    <nav
      aria-label={t('pagination.label')}
      className="flex flex-wrap items-center justify-between gap-2 text-muted text-xs"
    >
      <span className="figures" aria-live="polite">
        {total === undefined
          ? t('pagination.range', { range })
          : t('pagination.rangeOf', { range, total: formatInteger(total) })}
      </span>
      <span className="flex items-center gap-3">
        {onPageSizeChange && (
          <label className="flex items-center gap-1.5">
            <span className="max-sm:sr-only">{t('pagination.pageSize')}</span>
            <select
              value={pageSize}
              onChange={(event) => onPageSizeChange(Number(event.target.value))}
              className="field figures h-control-sm px-1.5 text-text text-xs"
            >
              {pageSizes.map((size) => (
                <option key={size} value={size}>
                  {size}
                </option>
              ))}
            </select>
          </label>
        )}
        <span className="flex items-center gap-1">
          <IconButton
            icon={ChevronLeft}
            label={t('pagination.previous')}
            size="sm"
            disabled={page <= 1}
            onClick={() => onPageChange(page - 1)}
          />
          {total !== undefined && total > pageSize ? (
            <PageBox page={page} pages={Math.ceil(total / pageSize)} onPageChange={onPageChange} />
          ) : (
            <span className="figures min-w-6 text-center text-text">{formatInteger(page)}</span>
          )}
          <IconButton
            icon={ChevronRight}
            label={t('pagination.next')}
            size="sm"
            disabled={!hasNext}
            onClick={() => onPageChange(page + 1)}
          />
        </span>
      </span>
    </nav>
  )
}

interface PageBoxProps {
  readonly page: number
  readonly pages: number
  readonly onPageChange: (page: number) => void
}

/** The page's number as a box: typing another one goes there. */
function PageBox({ page, pages, onPageChange }: PageBoxProps) {
  const { t } = useTranslation()
  const [text, setText] = useState<string>()

  function go(): void {
    const typed = Number(text)
    setText(undefined)
    if (!text || !Number.isInteger(typed)) return
    const next = Math.min(Math.max(typed, 1), pages)
    if (next !== page) onPageChange(next)
  }

  return (
    <form
      className="figures flex items-center gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        go()
      }}
    >
      <input
        inputMode="numeric"
        aria-label={t('pagination.goTo')}
        value={text ?? String(page)}
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={go}
        style={{ width: `calc(${Math.max(String(pages).length, 2)}ch + 1rem)` }}
        className="field h-control-sm px-1.5 text-center text-text text-xs"
      />
      {t('pagination.ofPages', { pages: formatInteger(pages) })}
    </form>
  )
}
