import { createLink } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { type ButtonSize, type ButtonVariant, buttonClass } from './button.tsx'

interface AnchorButtonProps extends ComponentProps<'a'> {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly icon?: LucideIcon
}

function AnchorButton({ variant, size, icon: Icon, className, children, ...anchor }: AnchorButtonProps) {
  return (
    <a {...anchor} className={buttonClass(variant, size, className)}>
      {Icon && <Icon className="size-3.5" aria-hidden />}
      {children}
    </a>
  )
}

/** A link that looks like a button: `<LinkButton to="/token/add" search={true} variant="primary" icon={Plus}>`. */
export const LinkButton = createLink(AnchorButton)
