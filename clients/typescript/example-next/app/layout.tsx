// The document around every page of the example.

import type { ReactNode } from "react";

export const metadata = { title: "Aileron with Next.js" };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
