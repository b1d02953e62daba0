import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { usePageTitle } from '../../lib/page-title.ts'

export interface PageHeaderProps {
  /** The page's only h1, and the tab's name. */
  readonly title: string
  /** One line of what the page is for; leave it out once there is content. */
  readonly description?: ReactNode
  /** The primary action, at the right. */
  readonly actions?: ReactNode
}

/** Title and primary action of a page. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  usePageTitle(title)
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        {/* As high as a button, so that it stands at the same place with and without one. */}
        <h1 className="flex min-h-control items-center font-semibold text-lg">{title}</h1>
        {description && <p className="text-muted text-sm">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}

export interface PageProps {
  /** `fill`: the page is as high as the window and its table scrolls inside; `form`: at most 720 px wide. */
  readonly layout?: 'flow' | 'fill' | 'form'
  readonly children: ReactNode
}

/** The content area of a console page. */
export function Page({ layout = 'flow', children }: PageProps) {
  return (
    <div
      data-fill={layout === 'fill' || undefined}
      className={cx(
        'flex min-w-0 flex-col gap-3 px-5 py-4 max-sm:px-4',
        layout === 'fill' && 'sm:h-full sm:min-h-96',
        layout === 'form' && 'w-full max-w-[760px]',
      )}
    >
      {children}
    </div>
  )
}
