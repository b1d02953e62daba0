import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode } from 'react'

type Lazy<Component> = Component extends (props: infer Props) => ReactNode
  ? LazyExoticComponent<ComponentType<Props>>
  : never

/** A component of another file, loaded when it is first rendered: `lazyComponent(() => import('./a.tsx'), 'A')`. */
export function lazyComponent<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Lazy<Module[Name]> {
  // `Lazy` refuses names of anything but components.
  return lazy(async () => ({ default: (await load())[name] as ComponentType })) as Lazy<Module[Name]>
}
