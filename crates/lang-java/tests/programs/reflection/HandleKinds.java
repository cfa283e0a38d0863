import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Every way to find a handle, to call it and to make one of others. */
class HandleKinds {
    int f = 7;
    static long sf = 9;
    final int fin = 1;

    HandleKinds() {
    }

    HandleKinds(int x) {
        f = x;
    }

    private String priv(String s) {
        return "priv " + s;
    }

    static String st(String s) {
        return "static " + s;
    }

    String vi(String s, int i) {
        return "virt " + s + i + f;
    }

    static int add(int a, int b) {
        return a + b;
    }

    static String va(String... s) {
        return Arrays.toString(s);
    }

    static void thr() {
        throw new IllegalStateException("x");
    }

    interface I {
        default String d() {
            return "I.d";
        }
    }

    static class Imp implements I {
        public String d() {
            return "Imp.d " + I.super.d();
        }
    }

    static class Sub extends HandleKinds {
        String vi(String s, int i) {
            return "sub " + super.vi(s, i);
        }

        static MethodHandle sup() throws Exception {
            return MethodHandles.lookup().findSpecial(HandleKinds.class, "vi", mt(String.class, String.class, int.class), Sub.class);
        }
    }

    interface Call {
        Object call() throws Throwable;
    }

    static void show(String name, Call call) {
        try {
            System.out.println(name + ": " + call.call());
        } catch (Throwable thrown) {
            System.out.println(name + " !" + thrown);
        }
    }

    static final MethodHandles.Lookup L = MethodHandles.lookup();

    static MethodType mt(Class<?> result, Class<?>... parameters) {
        return MethodType.methodType(result, parameters);
    }

    public static void main(String[] args) throws Throwable {
        MethodHandle s = L.findStatic(HandleKinds.class, "st", mt(String.class, String.class));
        MethodHandle v = L.findVirtual(HandleKinds.class, "vi", mt(String.class, String.class, int.class));
        MethodHandle add = L.findStatic(HandleKinds.class, "add", mt(int.class, int.class, int.class));
        show("s", () -> (String)s.invokeExact("x"));
        show("v", () -> (String)v.invokeExact(new HandleKinds(),"x",3));
        show("vsub", () -> (String)v.invokeExact((HandleKinds)new Sub(),"x",3));
        show("vinv", () -> v.invoke(new Sub(),"x",(short)3));
        show("priv", () -> (String)L.findSpecial(HandleKinds.class,"priv",mt(String.class,String.class),HandleKinds.class).invokeExact(new HandleKinds(),"p"));
        show("super", () -> (String)Sub.sup().invokeExact(new Sub(),"q",1));
        show("ctor", () -> ((HandleKinds)L.findConstructor(HandleKinds.class,mt(void.class,int.class)).invokeExact(5)).f);
        show("get", () -> (int)L.findGetter(HandleKinds.class,"f",int.class).invokeExact(new HandleKinds()));
        show("set", () -> { HandleKinds o=new HandleKinds(); L.findSetter(HandleKinds.class,"f",int.class).invokeExact(o,77); return o.f; });
        show("sget", () -> (long)L.findStaticGetter(HandleKinds.class,"sf",long.class).invokeExact());
        show("sset", () -> { L.findStaticSetter(HandleKinds.class,"sf",long.class).invokeExact(11L); return sf; });
        show("none", () -> L.findVirtual(HandleKinds.class,"nope",mt(void.class)));
        show("none2", () -> L.findStatic(HandleKinds.class,"vi",mt(String.class,String.class,int.class)));
        show("none3", () -> L.findGetter(HandleKinds.class,"zz",int.class));
        show("wrong", () -> (Object)s.invokeExact("x"));
        show("wrong2", () -> (int)add.invokeExact((short)1,2));
        show("inv", () -> (long)add.invoke((short)1,(Integer)2));
        show("args", () -> add.invokeWithArguments(3,4));
        show("args2", () -> add.invokeWithArguments(List.of(3,9)));
        show("args3", () -> add.invokeWithArguments("a",4));
        show("bind", () -> (String)v.bindTo(new HandleKinds()).invokeExact("b",2));
        show("ins", () -> (int)MethodHandles.insertArguments(add,0,40).invokeExact(2));
        show("drop", () -> (int)MethodHandles.dropArguments(add,1,String.class).invokeExact(1,"no",2));
        show("filter", () -> (int)MethodHandles.filterArguments(add,0,L.findVirtual(String.class,"length",mt(int.class))).invokeExact("four",2));
        show("filterR", () -> (String)MethodHandles.filterReturnValue(s,L.findVirtual(String.class,"toUpperCase",mt(String.class))).invokeExact("up"));
        show("fold", () -> (int)MethodHandles.foldArguments(MethodHandles.dropArguments(add,1,int.class),add).invokeExact(2,3));
        show("perm", () -> (String)MethodHandles.permuteArguments(L.findVirtual(String.class,"concat",mt(String.class,String.class)),mt(String.class,String.class,String.class),1,0).invokeExact("a","b"));
        show("const", () -> (int)MethodHandles.constant(int.class,5).invokeExact());
        show("ident", () -> (String)MethodHandles.identity(String.class).invokeExact("id"));
        show("guard", () -> { MethodHandle g=MethodHandles.guardWithTest(L.findVirtual(String.class,"isEmpty",mt(boolean.class)),MethodHandles.dropArguments(MethodHandles.constant(String.class,"E"),0,String.class),s); return (String)g.invokeExact("")+(String)g.invokeExact("z"); });
        show("catch", () -> { MethodHandle th=L.findStatic(HandleKinds.class,"thr",mt(void.class)); MethodHandle h=MethodHandles.dropArguments(MethodHandles.constant(int.class,1).asType(mt(void.class)),0,IllegalStateException.class); MethodHandles.catchException(th,IllegalStateException.class,h).invokeExact(); return "caught"; });
        show("thr", () -> { L.findStatic(HandleKinds.class,"thr",mt(void.class)).invokeExact(); return 1; });
        show("asType", () -> (Object)add.asType(mt(Object.class,Object.class,long.class.isPrimitive()?int.class:int.class)).invokeExact((Object)(Integer)4,5));
        show("asTypeBad", () -> add.asType(mt(String.class,int.class,int.class)));
        show("type", () -> v.type()+" "+add+" "+s.type().parameterCount());
        show("va", () -> (String)L.findStatic(HandleKinds.class,"va",mt(String.class,String[].class)).invoke("a","b","c"));
        show("va2", () -> L.findStatic(HandleKinds.class,"va",mt(String.class,String[].class)).isVarargsCollector());
        show("va3", () -> L.findStatic(HandleKinds.class,"va",mt(String.class,String[].class)).invokeWithArguments("q","r"));
        show("spread", () -> (int)add.asSpreader(Object[].class,2).invoke(new Object[]{4,5}));
        show("collect", () -> (String)L.findStatic(HandleKinds.class,"va",mt(String.class,String[].class)).asCollector(String[].class,2).invokeExact("x","y"));
        show("unr", () -> (String)L.unreflect(HandleKinds.class.getDeclaredMethod("st",String.class)).invokeExact("u"));
        show("unrc", () -> L.unreflectConstructor(HandleKinds.class.getDeclaredConstructor(int.class)).invoke(3).getClass());
        show("unrg", () -> (int)L.unreflectGetter(HandleKinds.class.getDeclaredField("f")).invokeExact(new HandleKinds()));
        show("ifc", () -> (String)L.findVirtual(I.class,"d",mt(String.class)).invokeExact((I)new Imp()));
        show("arr", () -> (int)MethodHandles.arrayElementGetter(int[].class).invokeExact(new int[]{1,2,3},1));
        show("arrl", () -> (int)MethodHandles.arrayLength(int[].class).invokeExact(new int[]{1,2,3}));
        show("npe", () -> (String)v.invokeExact((HandleKinds)null,"x",3));
        show("cce", () -> v.invoke((Object)"notone","x",3));
        show("string", () -> (char)L.findVirtual(String.class,"charAt",mt(char.class,int.class)).invokeExact("hello",1));
        show("list", () -> (boolean)L.findVirtual(List.class,"add",mt(boolean.class,Object.class)).invoke(new ArrayList<>(),(Object)"x"));
        show("mtype", () -> mt(int.class,String.class).toMethodDescriptorString()+mt(int.class).appendParameterTypes(long.class)+MethodType.genericMethodType(2)+mt(int.class,long.class).wrap()+mt(Integer.class).unwrap()+mt(int.class).equals(mt(int.class)));
        show("vh", () -> { VarHandle h=L.findVarHandle(HandleKinds.class,"f",int.class); HandleKinds o=new HandleKinds(); h.set(o,3); Object r=h.getAndAdd(o,4); return r+" "+o.f+" "+h.varType()+h.coordinateTypes()+h.compareAndSet(o,7,8)+h.get(o); });
        show("vhno", () -> L.findVarHandle(HandleKinds.class,"xx",long.class));
        show("vharr", () -> { VarHandle h=MethodHandles.arrayElementVarHandle(String[].class); String[] x={"a"}; h.setVolatile(x,0,"b"); return h.getAcquire(x,0)+x[0]; });
        show("vhbox", () -> { VarHandle h=L.findVarHandle(HandleKinds.class,"f",int.class); HandleKinds o=new HandleKinds(); Object r=h.get(o); h.set(o,(Object)(Integer)5); return r+" "+o.f; });
        show("vhview", () -> { VarHandle h=MethodHandles.byteArrayViewVarHandle(int[].class,java.nio.ByteOrder.BIG_ENDIAN); byte[] b=new byte[8]; h.set(b,0,0x01020304); return Arrays.toString(b)+(int)h.get(b,0); });
        show("explicit", () -> (int)MethodHandles.explicitCastArguments(add,mt(int.class,long.class,double.class)).invokeExact(4L,5.9));
        show("zero", () -> (int)MethodHandles.zero(int.class).invokeExact());
        show("lk", () -> L+" "+L.lookupClass());
        show("tryFin", () -> (int)MethodHandles.tryFinally(MethodHandles.constant(int.class,3), MethodHandles.dropArguments(MethodHandles.identity(int.class),0,Throwable.class)).invokeExact());
    }
}
