import { lazyComponent } from '../../lib/lazy-component.ts'

/** The second step of a login, loaded when the server asks for it. */
export const CodeStep = lazyComponent(() => import('./code-form.tsx'), 'CodeForm')
