import { createRoot } from 'react-dom/client'
import { Toaster, toast } from 'sonner'
import { useTheme } from '../../lib/theme.ts'
import { usePhone } from '../../lib/use-phone.ts'

/** Puts the place for toasts on the page, in a root of its own so that the first load does not carry it. */
export function mountToaster(): typeof toast {
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(<ToastPlace />)
  return toast
}

function ToastPlace() {
  const { resolved } = useTheme()
  const phone = usePhone()
  return (
    <Toaster
      theme={resolved}
      position={phone ? 'top-center' : 'bottom-right'}
      gap={8}
      toastOptions={{
        style: {
          background: 'var(--raised)',
          border: '1px solid var(--line)',
          borderRadius: '8px',
          color: 'var(--text)',
          boxShadow: 'var(--float-shadow)',
          fontFamily: 'var(--font-sans)',
          fontSize: 'var(--font-size)',
        },
        classNames: {
          success: '[&_[data-icon]]:text-good',
          error: '[&_[data-icon]]:text-bad',
          warning: '[&_[data-icon]]:text-warn',
          info: '[&_[data-icon]]:text-info',
        },
      }}
    />
  )
}
