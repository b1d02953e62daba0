import { CloudAlert, Lock, type LucideIcon, RotateCw, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../lib/api/api-client.ts'
import { cx } from '../../lib/cx.ts'
import { Button } from './button.tsx'
import { LinkButton } from './link-button.tsx'

export interface EmptyStateProps {
  readonly icon: LucideIcon
  readonly title: ReactNode
  /** Teaches the next step. */
  readonly children?: ReactNode
  /** The button that takes it. */
  readonly action?: ReactNode
  readonly className?: string
}

/** Nothing here yet, and what to do about it. */
export function EmptyState({ icon: Icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cx('mx-auto flex max-w-md flex-col items-center px-6 py-14 text-center', className)}>
      <span className="mb-4 grid size-11 place-items-center rounded-lg border bg-surface text-muted">
        <Icon className="size-5" aria-hidden />
      </span>
      <div className="font-semibold text-base">{title}</div>
      {children && <div className="mt-1 w-full text-balance text-muted text-sm">{children}</div>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

export interface ErrorStateProps {
  readonly error: Error
  readonly onRetry?: () => void
  readonly retrying?: boolean
}

/** Shows an error and a way to try again. A record that is gone stays gone. */
export function ErrorState({ error, onRetry, retrying = false }: ErrorStateProps) {
  const { t } = useTranslation()
  if (error instanceof ApiError && error.code === 'record_not_found') {
    return (
      <EmptyState icon={SearchX} title={error.message}>
        {t('state.goneHint')}
      </EmptyState>
    )
  }
  if (error instanceof ApiError && error.code === 'admin_second_factor_required') {
    return (
      <EmptyState
        icon={Lock}
        title={t('state.needsSecondFactor')}
        action={
          <LinkButton to="/personal" variant="primary">
            {t('state.setUpSecondFactor')}
          </LinkButton>
        }
      >
        {error.message}
      </EmptyState>
    )
  }
  return (
    <div role="alert">
      <EmptyState
        icon={CloudAlert}
        title={t('state.failed')}
        action={
          onRetry && (
            <Button icon={RotateCw} loading={retrying} onClick={onRetry}>
              {t('action.retry')}
            </Button>
          )
        }
      >
        {error.message}
      </EmptyState>
    </div>
  )
}

const forbiddenTexts = {
  admin: 'state.forbiddenAdmin',
  root: 'state.forbiddenRoot',
  part: 'state.forbiddenPart',
} as const

/** Readers of a page: administrators, root, or administrators with a part that the person lacks. */
export type Forbiddance = keyof typeof forbiddenTexts

/** The page exists, but not for this person; says who may. */
export function Forbidden({ who }: { readonly who: Forbiddance }) {
  const { t } = useTranslation()
  return (
    <EmptyState icon={Lock} title={t('state.forbidden')}>
      {t(forbiddenTexts[who])}
    </EmptyState>
  )
}

/** A place-holder in the shape of what will come. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={cx('skeleton block h-4 w-full', className)} />
}
