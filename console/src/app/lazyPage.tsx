import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from 'react-admin';

/** A module whose default export is a component, and that component once it is loaded. */
interface Code<Props> {
  load(): Promise<{ default: ComponentType<Props> }>;
  Loaded?: ComponentType<Props>;
}

/**
 * A component whose code is loaded when it is first shown. `lazy` of React does the same with `Suspense`, but shows it
 * up to 300 ms later than it could, per level of nesting: React throttles what follows a fallback.
 * @param waiting what is shown until then
 */
export function lazyPage<Props extends object>(
  load: Code<Props>['load'],
  waiting: ReactNode = <Loading />,
): ComponentType<Props> {
  const code: Code<Props> = { load };
  return (props) => <Later code={code} props={props} waiting={waiting} />;
}

interface LaterProps<Props> {
  code: Code<Props>;
  props: Props;
  waiting: ReactNode;
}

function Later<Props extends object>({ code, props, waiting }: LaterProps<Props>) {
  const [ended, setEnded] = useState<{ error?: unknown }>({});
  useEffect(() => {
    if (code.Loaded) return;
    code.load().then(
      (module) => {
        code.Loaded = module.default;
        setEnded({});
      },
      (error: unknown) => setEnded({ error }),
    );
  }, [code]);
  if (ended.error) throw ended.error;
  const { Loaded } = code;
  return Loaded ? <Loaded {...props} /> : waiting;
}
