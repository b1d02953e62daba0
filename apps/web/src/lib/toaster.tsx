import type { CSSProperties } from 'react'
import { createRoot } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import { Toaster, type ToasterProps, toast } from 'sonner'
import { useMediaQuery, usePhone } from './browser/media-query.ts'
import { useTheme } from './browser/theme.ts'

/** Puts the place for toasts on the page, in a root of its own so that the first load does not carry it. */
export function mountToaster(): typeof toast {
  const location = document.createElement('div')
  document.body.append(location)
  createRoot(location).render(<ToastPosition />)
  return toast
}

function ToastPosition() {
  const { resolved } = useTheme()
  const { t } = useTranslation()
  const location = usePosition()
  return (
    <Toaster
      {...location}
      theme={resolved}
      gap={8}
      visibleToasts={4}
      containerAriaLabel={t('toast.label')}
      toastOptions={{
        closeButtonAriaLabel: t('toast.close'),
        style: {
          background: 'var(--raised)',
          border: '1px solid var(--line)',
          borderRadius: '8px',
          color: 'var(--text)',
          boxShadow: 'var(--float-shadow)',
          fontFamily: 'var(--font-sans)',
          fontSize: 'var(--font-size)',
          // As high as the top bar has room for.
          padding: '9px 40px 9px 14px',
          ...closeInside,
        },
        classNames: {
          closeButton: 'top-1/2! size-7! border-0! bg-transparent! text-muted! max-sm:size-10!',
          success: '[&_[data-icon]]:text-good',
          error: '[&_[data-icon]]:text-bad',
          warning: '[&_[data-icon]]:text-warn',
          info: '[&_[data-icon]]:text-info',
        },
      }}
    />
  )
}

/** The button that closes a message is inside it, at the end. React's types know no custom properties. */
const closeInside = {
  '--toast-close-button-start': 'unset',
  '--toast-close-button-end': '6px',
  '--toast-close-button-transform': 'translateY(-50%)',
} as CSSProperties

/** Windows in which the middle of the top bar is empty. */
const roomInTopBar = '(width >= 1280px)'

/**
 * Returns the position at which a message covers nothing that can be pressed: buttons and figures stand at the right and along the
 * bottom.
 */
function usePosition(): Pick<ToasterProps, 'position' | 'offset' | 'mobileOffset'> {
  const phone = usePhone()
  const wide = useMediaQuery(roomInTopBar)
  if (phone) return { position: 'top-center', mobileOffset: { top: 'calc(var(--top-bar) + 8px)' } }
  if (wide) return { position: 'top-center', offset: { top: 4 } }
  return { position: 'bottom-left', offset: { left: 64, bottom: 12 } }
}
