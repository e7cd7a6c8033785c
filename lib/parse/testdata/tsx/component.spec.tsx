import React, { memo } from 'react';

interface Props { label: string }

/** A button. */
export const Button: React.FC<Props> = ({ label }) => {
  const onClick = () => { console.log(label); };
  return <button onClick={onClick}>{label}</button>;
};

export const Memo = memo(() => <Button label="x" />);

export default function App(): JSX.Element {
  return (
    <>
      <Button label="a" />
    </>
  );
}
